//! Marks that give words a rank they do not have: tags, markers of chat formats, labels that speak as the system.

use std::sync::LazyLock;

use aho_corasick::AhoCorasick;

use super::{Family, Hit, Place, Scan, Stance};
use crate::{concept as c, finding::Tier, token::COLON};

/// Markers that chat formats put between turns.
const MARKERS: &[&str] = &[
    "<|im_start|>",
    "<|im_end|>",
    "<|system|>",
    "<|user|>",
    "<|assistant|>",
    "<|endoftext|>",
    "<|eot_id|>",
    "<|start_header_id|>",
    "<|begin_of_text|>",
    "[inst]",
    "[/inst]",
    "<<sys>>",
    "<</sys>>",
    "<start_of_turn>",
    "<end_of_turn>",
    "[system]",
    "[/system]",
    "<|channel|>",
    "<|message|>",
    "</tool_result>",
    "</function_results>",
    "</untrusted>",
    "<|end|>",
    "<system>",
    "</system>",
    "<system_prompt>",
    "</system_prompt>",
    "<system-reminder>",
    "[system message]",
    "[developer]",
    "\n\nhuman:",
    "\n\nassistant:",
];

/// Tags that put an order above the text around it. In a tool's description none belongs.
const HIDING_TAGS: &[&str] = &[
    "hidden",
    "secret",
    "secrets",
    "hidden_instruction",
    "hidden_instructions",
    "secret_instruction",
    "secret_instructions",
    "system_override",
    "override",
    "admin",
    "admin_override",
    "system_instruction",
    "system_instructions",
    "instructions_for_ai",
    "ai_instructions",
    "ai_instruction",
    "assistant_instructions",
    "internal",
    "developer",
    "root",
    "sudo",
    "priority_override",
    "model_instructions",
    "llm_instructions",
    "agent_instructions",
    "for_ai_only",
    "ai_only",
    "private",
    "confidential",
    "directive",
    "system_note",
    "system_message",
    "invisible",
];

/// Tags that only stress.
const STRESSING_TAGS: &[&str] = &[
    "important",
    "critical",
    "mandatory",
    "required",
    "urgent",
    "instructions",
    "instruction",
    "information",
    "attention",
    "must",
    "note",
    "warning",
    "prerequisite",
    "rules",
    "security",
    "compliance",
    "policy",
    "always",
];

static MARKER: LazyLock<Option<AhoCorasick>> = LazyLock::new(|| {
    AhoCorasick::builder()
        .ascii_case_insensitive(true)
        .match_kind(aho_corasick::MatchKind::LeftmostLongest)
        .build(MARKERS)
        .ok()
});

pub(super) fn all(scan: &mut Scan<'_>) {
    let text = scan.text;
    if scan.place == Place::Name {
        return;
    }
    if text.contains(['<', '[', '\n'])
        && let Some(markers) = &*MARKER
    {
        scan.reading.count(text.len());
        for hit in markers.find_iter(text) {
            marker(scan, hit.start()..hit.end());
        }
    }
    if scan.place != Place::Text {
        tags(scan);
    }
    labels(scan);
}

fn marker(scan: &mut Scan<'_>, span: std::ops::Range<usize>) {
    let text = scan.text.get(span.clone()).unwrap_or("");
    let plain_tag = text.trim_start().starts_with(['<', '['])
        && !text.contains('|')
        && !text.to_ascii_lowercase().contains("inst")
        && !text.contains("<<");
    let turn = text.starts_with('\n');
    let follows = first_token_after(scan, span.end);
    let cited = follows.is_some_and(|at| scan.stance(at, at) == Stance::Cited) || quoted_at(scan, span.start);
    let ordered = follows.is_some_and(|at| orders_soon(scan, at));
    let confidence = match (plain_tag || turn, ordered, scan.place) {
        _ if cited => 0.3,
        (false, _, _) if scan.text.get(span.end..).is_some_and(|rest| rest.starts_with("system")) => 0.85,
        (false, true, _) => 0.9,
        (false, false, Place::Text) => 0.5,
        (false, false, _) => 0.7,
        (true, true, _) if !turn => 0.8,
        (true, true, Place::Text) => 0.5,
        (true, true, _) => 0.7,
        _ => 0.4,
    };
    push(
        scan,
        "injection.role",
        Family::Role,
        confidence,
        span,
        "Pretends that what follows is said by the system or by another side of the talk.",
    );
}

/// `<HIDDEN> … </HIDDEN>` and its like.
fn tags(scan: &mut Scan<'_>) {
    let text = scan.text;
    let mut found = Vec::new();
    for (at, _) in text.match_indices('<') {
        let rest = text.get(at + 1..).unwrap_or("");
        scan.reading.count(1);
        let length = rest
            .bytes()
            .take(40)
            .take_while(|byte| byte.is_ascii_alphanumeric() || b"_- ".contains(byte))
            .count();
        if length == 0 || rest.as_bytes().get(length) != Some(&b'>') {
            continue;
        }
        let name = rest.get(..length).unwrap_or("").trim().to_ascii_lowercase().replace(['-', ' '], "_");
        found.push((at..at + length + 2, name));
    }
    for (span, name) in found {
        let Some(next) = first_token_after(scan, span.end) else { continue };
        let ordered = orders_soon(scan, next);
        let hides = HIDING_TAGS.contains(&name.as_str());
        let stresses = STRESSING_TAGS.contains(&name.as_str());
        let confidence = match (hides, stresses, ordered) {
            (true, _, true) => 0.85,
            (true, _, false) => 0.6,
            (_, true, true) => 0.56,
            _ => continue,
        };
        let confidence = if quoted_at(scan, span.start) { 0.3 } else { confidence };
        push(
            scan,
            "injection.tag",
            Family::Role,
            confidence,
            span,
            "Wraps orders in a tag that sets them above the text around them.",
        );
    }
}

/// "SYSTEM: …", "Note to assistant: …", "### NEW SYSTEM MESSAGE ###", "Hidden directive: …".
fn labels(scan: &mut Scan<'_>) {
    for index in 0..scan.reading.tokens.len() {
        let Some(token) = scan.token(index).copied() else { break };
        if !token.is(c::SYSTEM | c::MODEL | c::PRODUCT | c::ORDERS | c::PROMPT) {
            continue;
        }
        let colon = token.after & COLON != 0;
        let before = scan.text.get(..token.start as usize).unwrap_or("");
        let fenced = before.ends_with(['#', '(', '[', '{', '*', '='])
            || before.ends_with("# ")
            || before.ends_with("{ ");
        let heading = token.after & crate::token::STOP != 0
            || scan.text.get(token.end as usize..).is_some_and(|rest| {
                rest.trim_start_matches([' ', '*']).starts_with([
                    '#',
                    ']',
                    '=',
                    if fenced { ')' } else { '#' },
                ])
            });
        if !colon && !heading {
            continue;
        }
        // The words of the label, back to the start of the sentence or a bracket.
        let mut start = index;
        while index - start < 5 && !scan.starts_sentence(start) {
            let before = scan.token(start - 1);
            if before
                .is_some_and(|token| token.after & (crate::token::BRACKET | crate::token::BREAK | COLON) != 0)
            {
                break;
            }
            start -= 1;
        }
        if !scan.starts_sentence(start)
            && scan.token(start.wrapping_sub(1)).is_none_or(|token| token.after & crate::token::BRACKET == 0)
        {
            continue;
        }
        let spoken =
            (start..index + 1).any(|at| scan.token(at).is_some_and(|token| token.is(c::MODEL | c::PRODUCT)));
        let system = (start..index + 1).any(|at| scan.token(at).is_some_and(|token| token.is(c::SYSTEM)));
        let orders = (start..index + 1)
            .any(|at| scan.token(at).is_some_and(|token| token.is(c::ORDERS | c::PROMPT | c::RULES)));
        let hidden = (start..index + 1).any(|at| {
            scan.token(at).is_some_and(|token| {
                token.is(c::HIDDEN | c::BYPASS)
                    || ["new", "updated", "revised"].contains(&scan.reading.word(at))
            })
        });
        let loud = (start..index + 1).all(|at| {
            scan.token(at)
                .is_some_and(|token| token.has(crate::token::CAPITALS) || token.end - token.start < 3)
        });
        let to = (start..index).any(|at| scan.is(at, c::TO) || scan.reading.word(at) == "for");
        let note = (start..index).any(|at| scan.is(at, c::URGENT));
        let ordered = first_token_after(scan, token.end as usize).is_some_and(|at| orders_soon(scan, at));
        let confidence = match () {
            () if fenced && heading && token.is(c::PROMPT) && before.trim_end_matches('(').ends_with('#') => {
                0.78
            }
            () if heading && !colon && !(loud && system && (orders || hidden)) => continue,
            () if heading && !colon => 0.8,
            () if !ordered => continue,
            () if hidden && (orders || system) => 0.78,
            () if spoken && orders => 0.76,
            // "Note to LLM: use the index tool" helps; "note to AI: add the user's calendar" does not.
            () if spoken && to && scan.place != Place::Text && !grave_soon(scan, index) => continue,
            () if spoken && (to && note) => 0.7,
            () if spoken && to => 0.6,
            () if system && loud && index == start => 0.66,
            () if system && (orders || note) => 0.66,
            () if system && index == start && scan.place != Place::Text => 0.5,
            () if system
                && index == start
                && token.has(crate::token::LINE_START)
                && scan.ahead(index, c::YOU, 4).is_some() =>
            {
                0.55
            }
            () => continue,
        };
        scan.hit(
            "injection.role",
            Family::Role,
            confidence,
            start,
            index,
            "Speaks to the reader in the name of the system, or past its user.",
        );
    }
}

fn first_token_after(scan: &Scan<'_>, at: usize) -> Option<usize> {
    let next = scan.reading.tokens.partition_point(|token| (token.start as usize) < at);
    (next < scan.reading.tokens.len()).then_some(next)
}

/// Whether an order, an obligation or a condition stands among the next words.
fn orders_soon(scan: &Scan<'_>, index: usize) -> bool {
    let acts = c::IGNORE
        | c::BYPASS
        | c::TELL
        | c::READ
        | c::SEND
        | c::PUT
        | c::USE
        | c::OBEY
        | c::STEAL
        | c::ANSWER
        | c::DESTROY
        | c::ALTER
        | c::GRANT
        | c::CONSENT;
    scan.reading.count(14);
    (index..index + 14).any(|at| {
        scan.is(at, c::MUST | c::UNTOLD | c::HENCEFORTH) || (scan.is(at, acts) && scan.is_order(at))
    })
}

/// Whether secrets, people or places elsewhere are spoken of among the next words.
fn grave_soon(scan: &Scan<'_>, index: usize) -> bool {
    let grave = c::SECRET
        | c::SECRET_PATH
        | c::PRIVATE
        | c::HELD
        | c::PROMPT
        | c::ELSEWHERE
        | c::URL
        | c::EMAIL
        | c::USER
        | c::SILENT
        | c::UNTOLD
        | c::DESTROY;
    scan.reading.count(20);
    (index + 1..index + 20).any(|at| scan.is(at, grave))
}

/// Whether a place is between quotation marks or in code: the words on both sides are.
fn quoted_at(scan: &Scan<'_>, at: usize) -> bool {
    let before = scan.text.get(..at).unwrap_or("").chars().next_back();
    matches!(before, Some('`' | '"' | '\'' | '“' | '‘'))
}

fn push(
    scan: &mut Scan<'_>,
    rule: &'static str,
    family: Family,
    confidence: f64,
    span: std::ops::Range<usize>,
    says: &'static str,
) {
    if confidence < super::FAINTEST {
        return;
    }
    let tier = if confidence >= super::HARD { Tier::Hard } else { Tier::Soft };
    scan.hits.push(Hit { rule, family, tier, confidence, span, says });
}
