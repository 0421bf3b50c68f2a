//! What a word can stand for. Rules are written over these, so that one rule reads every language that has words
//! for them.

/// A set of concepts.
pub(crate) type Concepts = u128;

macro_rules! concepts {
    ($($(#[$doc:meta])* $name:ident)*) => { concepts!(@ 0; $($(#[$doc])* $name)*); };
    (@ $bit:expr; $(#[$doc:meta])* $name:ident $($rest:tt)*) => {
        $(#[$doc])*
        pub(crate) const $name: Concepts = 1 << $bit;
        concepts!(@ $bit + 1; $($rest)*);
    };
    (@ $bit:expr;) => {
        /// How many there are; a test holds that they fit.
        #[cfg(test)]
        pub(crate) const COUNT: u32 = $bit;
    };
}

concepts! {
    /// To leave an order unheeded: ignore, disregard, forget.
    IGNORE
    /// To set a rule aside: override, bypass, circumvent.
    BYPASS
    /// What came earlier: previous, above, prior, original.
    PRIOR
    /// All, any, every.
    ALL
    /// What a model is told to go by: instructions, prompt, directives, guidelines.
    ORDERS
    /// Weaker names of the same: rules, constraints, policy, context.
    RULES
    /// Safety, guardrails, safeguards, alignment.
    SAFETY
    /// Restrictions, limits, filters, ethics.
    LIMITS
    /// Not, never, don't, no.
    NOT
    /// Without.
    WITHOUT
    /// To let somebody know: tell, mention, inform, notify, reveal.
    TELL
    /// A word that already says "do not tell".
    UNTOLD
    /// The person the model works for.
    USER
    /// You, your: the reader is addressed.
    YOU
    /// What must stay secret: password, credentials, API key.
    SECRET
    /// Confidential, private, sensitive.
    PRIVATE
    /// What the model holds: conversation, chat history, system prompt.
    HELD
    /// The system prompt and its other names.
    PROMPT
    /// To look into: read, open, access, collect.
    READ
    /// To carry away: send, upload, forward, post.
    SEND
    /// To carry away, and no other meaning: exfiltrate, leak, steal.
    STEAL
    /// To put into: include, append, embed, pass.
    PUT
    /// Elsewhere: external, remote, attacker, webhook.
    ELSEWHERE
    /// An address of a machine.
    URL
    /// An address of a mailbox.
    EMAIL
    /// A path or resource that holds secrets.
    SECRET_PATH
    /// Any other path, file name or resource.
    PATH
    /// An identifier such as a tool's or parameter's name.
    IDENT
    /// Must, always, required.
    MUST
    /// Important, critical: emphasis without an order.
    URGENT
    /// Before, prior to.
    BEFORE
    /// First, at once.
    FIRST
    /// After, once, upon.
    AFTER
    /// Whenever, every time, regardless.
    WHENEVER
    /// Tool, function, plugin, server.
    TOOL
    /// Other, any other, remaining.
    OTHER
    /// To use: call, invoke, run, execute.
    USE
    /// Instead, rather, in place of.
    INSTEAD
    /// To take another's place: replace, supersede, precedence.
    SUPPLANT
    /// To change another's doing: modify, redirect, reroute, intercept.
    ALTER
    /// Deprecated, broken, insecure, unavailable: said of somebody else's tool.
    WORSE
    /// Silently, secretly, in the background.
    SILENT
    /// To hide: conceal, suppress.
    HIDE
    /// Hidden, invisible.
    HIDDEN
    /// Confirmation, consent, permission, approval.
    CONSENT
    /// To ask.
    ASK
    /// The one who reads: assistant, AI, model, agent.
    MODEL
    /// Names of products that read: claude, gpt, copilot.
    PRODUCT
    /// A mode without limits: jailbreak, developer mode, DAN.
    MODE
    /// Unrestricted, uncensored, unfiltered.
    UNBOUND
    /// From now on, you are now.
    HENCEFORTH
    /// New.
    NEW
    /// System, admin, developer, root.
    SYSTEM
    /// To obey: follow, comply, adhere.
    OBEY
    /// To look for: detect, flag, scan, block; said of a guard.
    DETECT
    /// What makes words an example: such as, e.g., sample, phrase.
    EXAMPLE
    /// Words that put what follows under the verb before: that, whether, attempts to.
    THAT
    /// To destroy: delete, wipe, drop, disable.
    DESTROY
    /// Approved, approval, review.
    APPROVE
    /// To begin later: activate, switch, swap, begin.
    BEGIN
    /// Output, response, answer.
    RESULT
    /// To make believe: pretend, disguise, present as.
    PRETEND
    /// Transfers, payments, accounts.
    MONEY
    /// Recipient, destination, bcc.
    RECIPIENT
    /// Shell, command, script.
    COMMAND
    /// File, folder, document.
    FILE
    /// Content, data, text.
    CONTENT
    /// Otherwise, or else, will fail.
    OR_ELSE
    /// A pretext: compliance, audit, security policy, verification.
    PRETEXT
    /// Trusted, authoritative, authorized.
    TRUSTED
    /// Found in, embedded in, inside of something that was read.
    WITHIN
    /// To answer: respond, answer, reply, provide.
    ANSWER
    /// What a person asks for: request, question, task, query.
    REQUEST
    /// And.
    AND
    /// Then, also, next: a further act begins.
    THEN
    /// To, for infinitives.
    TO
    /// A, the, this, that: what follows is no verb.
    ARTICLE
    /// Please, immediately, just: may stand before an order.
    FILLER
    /// Role-play: act as, pretend to be.
    PLAY
    /// A copy of.
    COPY
    /// Unsafe doings by name: ransomware, keylogger, reverse shell.
    MALWARE
    /// Doings that are an attack on their own as a stated purpose: harvest, escalate, spoof.
    ATTACK
    /// What shields: antivirus, firewall, logging, detection.
    SHIELD
    /// Parameter, argument, field.
    FIELD
    /// Exactly, verbatim.
    VERBATIM
    /// Task, job, objective given anew.
    TASK
    /// He, she, they; the people a text is about.
    THEM
    /// Trust, believe, treat, consider.
    DEEM
    /// May, can, will, would: the verb after it is no order.
    MODAL
    /// Hide traces: logs, history, audit.
    TRACE
    /// Memory that outlives the talk.
    MEMORY
    /// To know or see of something: know, notice, be aware.
    NOTICE
    /// This, these, it: what stands before is pointed at.
    THIS
    /// Words that make what follows in quotation marks an example: called, says, like.
    NAMED
    /// To grant: approve, authorise, pay, refund.
    GRANT
    /// To hold for: apply, be valid.
    APPLY
    /// Future, subsequent, later turns.
    FUTURE
    /// Known words turned by thirteen letters.
    ROTATED
    /// Known words written backwards.
    REVERSED
}

#[cfg(test)]
mod tests {
    #[test]
    fn all_concepts_fit_in_one_set() {
        let count = super::COUNT;
        assert!(count <= 128, "{count}");
    }
}
