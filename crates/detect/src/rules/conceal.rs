//! Orders to keep something from the person the reader works for.

use super::{Family, Scan};
use crate::{
    concept as c,
    token::{STOP, Token},
    words::{ING, PAST},
};

const CONCEALS: &str = "Tells the reader to keep something from its user.";
const DISGUISES: &str = "Tells the reader to make something look like what it is not.";

pub(super) fn at(scan: &mut Scan<'_>, index: usize, token: &Token) {
    if token.is(c::TELL) {
        do_not_tell(scan, index, token);
    }
    if token.is(c::UNTOLD)
        && let Some(user) = scan.near(index, c::USER | c::THEM, 8)
    {
        scan.hit("directive.conceal", Family::Conceal, 0.74, index, user, CONCEALS);
    }
    if token.is(c::HIDE) {
        hide(scan, index);
    }
    if token.is(c::HIDDEN | c::SECRET | c::PRIVATE) {
        keep_hidden(scan, index);
    }
    if token.is(c::SILENT)
        && scan.reading.word(index) == "unbeknownst"
        && let Some(user) = scan.ahead(index, c::USER | c::THEM, 3)
    {
        scan.hit("directive.conceal", Family::Conceal, 0.72, index, user, CONCEALS);
    }
    if token.is(c::NOTICE) {
        unaware(scan, index);
    }
    if token.is(c::PRETEND) {
        pretend(scan, index);
    }
}

/// "Do not tell the user", "without mentioning this step".
fn do_not_tell(scan: &mut Scan<'_>, index: usize, token: &Token) {
    let not = scan.behind(index, c::NOT, 5).filter(|not| {
        let near = index - not <= 3;
        let between = (*not..index)
            .all(|at| scan.token(at).is_some_and(|token| token.after & crate::token::BREAK == 0));
        between && (near || scan.is(*not, c::NOT) && scan.reading.word(*not) == "no")
    });
    let foreign = token.sense.forms == super::ANY_FORM;
    let after = scan
        .ahead(index, c::NOT, 5)
        .filter(|not| foreign && scan.ahead(index, c::USER, 4).is_some_and(|user| user < *not));
    if let Some(after) = after {
        scan.hit("directive.conceal", Family::Conceal, 0.62, index, after, CONCEALS);
        return;
    }
    if let Some(user) = scan.behind(index, c::USER, 6)
        && token.sense.forms & PAST != 0
        && scan.behind(index, c::NOT, 3).is_some_and(|not| not > user)
        && scan.behind(index, c::MUST, 4).is_some_and(|must| must > user)
        && (user..index)
            .all(|at| scan.token(at).is_some_and(|token| token.after & crate::token::BRACKET == 0))
    {
        // "The user should not be told".
        scan.hit("directive.conceal", Family::Conceal, 0.72, user, index, CONCEALS);
        return;
    }
    let without = scan
        .behind(index, c::WITHOUT, if foreign { 7 } else { 3 })
        .filter(|_| token.sense.forms & ING != 0 || token.sense.forms & super::ANY_FORM != 0);
    let Some(start) = not.or(without) else { return };
    let passive = token.sense.forms & PAST != 0 && scan.behind(index, c::MUST, 5).is_some();
    let Some((last, confidence)) = what_is_kept(scan, index, passive) else { return };
    let confidence = if without.is_some() && not.is_none() { confidence - 0.04 } else { confidence };
    let text = scan.place == super::Place::Text && scan.has(index, c::USER, 6);
    let confidence = if text || scan.place != super::Place::Text { confidence } else { confidence - 0.1 };
    scan.hit("directive.conceal", Family::Conceal, confidence, start, last, CONCEALS);
}

/// "Keep it hidden from the user".
fn keep_hidden(scan: &mut Scan<'_>, index: usize) {
    let keep = (index.saturating_sub(5)..index)
        .find(|at| ["keep", "stay", "remain", "kept"].contains(&scan.reading.word(*at)));
    let Some(keep) = keep.filter(|keep| {
        scan.token(*keep).map(|token| token.sentence) == scan.token(index).map(|token| token.sentence)
    }) else {
        return;
    };
    let from = scan.reading.word(index + 1) == "from";
    let user = scan.ahead(index, c::USER | c::THEM, 4);
    if let Some(user) = user.filter(|_| from) {
        scan.hit("directive.conceal", Family::Conceal, 0.72, keep, user, CONCEALS);
    }
}

/// What stands behind "tell", and how much it says that something is being kept back.
fn what_is_kept(scan: &Scan<'_>, index: usize, passive: bool) -> Option<(usize, f64)> {
    let ends_here = |at: usize| scan.token(at).is_some_and(super::ends);
    // Secrets that are to stay secret: advice any honest text gives.
    let secret = scan.ahead(index, c::SECRET | c::PRIVATE, 3);
    let pointed = scan.ahead(index, c::THIS, 1);
    let user = scan.ahead(index, c::USER | c::THEM, 6);
    let foreign = scan.token(index).is_some_and(|token| token.sense.forms == super::ANY_FORM);
    if let Some(user) = scan.behind(index, c::USER, 6).filter(|_| foreign && secret.is_none()) {
        return Some((user, 0.66));
    }
    if let Some(user) = user {
        let gap = user - index;
        if secret.is_some_and(|secret| secret < user) && pointed.is_none_or(|pointed| pointed > user) {
            return Some((user, 0.3));
        }
        if passive {
            return Some((user, 0.62));
        }
        if gap <= 2 {
            // "tell the user": what about?
            let to = scan.is(user + 1, c::TO);
            let about = ends_here(user)
                || scan.is(user + 1, c::THAT | c::THIS | c::AND | c::THEN)
                || scan.token(user + 1).is_none()
                || ["about", "of", "or", "anything", "in", "why", "what"]
                    .contains(&scan.reading.word(user + 1));
            return Some((
                user,
                if to {
                    0.3
                } else if about {
                    0.74
                } else {
                    0.6
                },
            ));
        }
        if pointed.is_some() {
            return Some((user, 0.74));
        }
        return Some((
            user,
            if scan.ahead(index, c::ORDERS | c::TOOL | c::IDENT, 4).is_some() { 0.62 } else { 0.5 },
        ));
    }
    let verb = scan.reading.word(index);
    let reveals = [
        "mention",
        "mentioning",
        "reveal",
        "revealing",
        "disclose",
        "disclosing",
        "divulge",
        "acknowledge",
        "admit",
        "discuss",
        "mentioned",
        "disclosed",
        "revealed",
    ]
    .contains(&verb);
    if secret.is_some() && pointed.is_none() {
        return None;
    }
    if let Some(pointed) = pointed.filter(|_| reveals) {
        let orders = scan.ahead(index, c::ORDERS | c::TOOL | c::YOU | c::USE, 5).is_some();
        let short = ends_here(pointed) || scan.token(pointed + 1).is_none();
        let step = [
            "step",
            "action",
            "instruction",
            "operation",
            "process",
            "fact",
            "detail",
            "requirement",
            "note",
            "message",
            "check",
            "in",
        ]
        .contains(&scan.reading.word(pointed + 1));
        return Some((pointed, if orders || short || step { 0.74 } else { 0.5 }));
    }
    if reveals && scan.ahead(index, c::ORDERS | c::PROMPT, 4).is_some() {
        return Some((index, 0.7));
    }
    None
}

/// "Hide this from the user", "keep it secret", "this is a secret operation".
fn hide(scan: &mut Scan<'_>, index: usize) {
    let user = scan.ahead(index, c::USER | c::THEM, 7);
    let secrecy = scan.reading.word(index) == "secret" || scan.reading.word(index) == "keep";
    if let Some(user) = user {
        let from = (index..user).any(|at| scan.reading.word(at) == "from");
        let password = scan.ahead(index, c::SECRET, 3).is_some_and(|secret| secret < user);
        if from && scan.is_order(index) && !scan.negated(index) && !password {
            scan.hit("directive.conceal", Family::Conceal, 0.74, index, user, CONCEALS);
            return;
        }
    }
    if secrecy {
        scan.hit("directive.conceal", Family::Conceal, 0.6, index, index, CONCEALS);
    }
}

/// "The user must not know", "without the user noticing".
fn unaware(scan: &mut Scan<'_>, index: usize) {
    let Some(user) = scan.behind(index, c::USER, 5) else { return };
    let see = ["see", "seeing"].contains(&scan.reading.word(index));
    let without = scan.behind(user, c::WITHOUT, 2).filter(|_| !see);
    let not = scan.behind(index, c::NOT, 4).filter(|not| *not > user);
    let must = not.and_then(|not| scan.near(not, c::MUST, 2));
    let confidence = match (without, not, must) {
        (Some(_), _, _) => 0.72,
        (_, Some(_), Some(_)) => 0.6,
        _ => return,
    };
    scan.hit("directive.conceal", Family::Conceal, confidence, without.unwrap_or(user), index, CONCEALS);
}

/// "Present it as if it were part of the normal result".
fn pretend(scan: &mut Scan<'_>, index: usize) {
    let normal = scan.ahead(index, c::RESULT, 8).filter(|_| {
        (index..index + 10).any(|at| {
            ["normal", "regular", "ordinary", "usual", "normally", "part", "legitimate"]
                .contains(&scan.reading.word(at))
        })
    });
    let Some(last) = normal else { return };
    let sentence = scan.token(index).map_or(0, |token| token.sentence);
    let from = (index.saturating_sub(8)..index).find(|at| {
        scan.token(*at).is_some_and(|token| token.sentence == sentence && token.after & STOP == 0)
            && scan.is(*at, c::PUT | c::THIS)
    });
    scan.hit("directive.conceal", Family::Conceal, 0.68, from.unwrap_or(index), last, DISGUISES);
}
