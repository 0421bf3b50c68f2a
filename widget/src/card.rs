//! The refunds that wait, and the two buttons that decide them.
//!
//! First records only, in a fixed order, the amount largest; below them the agent's words, marked as not checked. A
//! press asks for a nonce for exactly what is shown and uses it at once.

use alloc::rc::Rc;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::{Cell, RefCell};

use wasm_bindgen::JsValue;

use crate::app::App;
use crate::door::{
    self, Answer, Who, address, ask, clock, draw, get, items, number, object, same, set, settled,
};
use crate::door::{put, text, truthy, write};
use crate::panel::Panel;
use crate::refresh::{self, ALL};
use crate::words::visible;

/// How long the buttons stay off after anything that decides was drawn anew, in milliseconds.
const ARMS_AFTER: u32 = 500;

/// All cards.
pub(crate) struct Cards {
    place: JsValue,
    cards: RefCell<Vec<Rc<Card>>>,
}

struct Card {
    refund: JsValue,
    view: JsValue,
    /// What is drawn: the terms under `t`, and what we say about them.
    data: JsValue,
    armed_at: Cell<f64>,
    busy: Cell<bool>,
    ended: Cell<bool>,
}

impl Cards {
    pub(crate) fn new(place: JsValue) -> Cards {
        Cards { place, cards: RefCell::default() }
    }

    /// Shows what waits now. A new card comes last, so that it never moves the one being read. Gives what a listener
    /// should hear.
    pub(crate) fn take(&self, app: &'static App, waiting: &[JsValue]) -> Option<JsValue> {
        let mut news = None;
        let mut cards = self.cards.borrow_mut();
        let waits = |card: &Card| card.busy.get() || waiting.iter().any(|terms| card.is_of(terms));
        for card in cards.iter().filter(|card| !waits(card)) {
            card.end("It waits no longer. What happened stands in the list below.");
        }
        for terms in waiting {
            let known = cards.iter().find(|card| card.is_of(terms)).cloned();
            let card = known.unwrap_or_else(|| {
                let card = Rc::new(Card {
                    refund: get(terms, "refund_id"),
                    view: door::build(&self.place, include_str!("view/card.txt")),
                    data: object(),
                    armed_at: Cell::default(),
                    busy: Cell::default(),
                    ended: Cell::default(),
                });
                cards.push(Rc::clone(&card));
                news = Some(write("A refund of {display} waits for your decision.", terms));
                card
            });
            card.take(app, terms);
        }
        news
    }

    /// Takes a card that has ended away.
    pub(crate) fn close(&self, refund: &JsValue) {
        self.remove(|card| card.refund == *refund && card.ended.get());
    }

    /// Takes all of them away.
    pub(crate) fn clear(&self) {
        self.remove(|_| true);
    }

    fn remove(&self, which: impl Fn(&Card) -> bool) {
        self.cards.borrow_mut().retain(|card| {
            let goes = which(card);
            if goes {
                door::remove(&card.view);
            }
            !goes
        });
    }

    fn ready(&self, refund: &JsValue) -> Option<Rc<Card>> {
        self.cards.borrow().iter().find(|card| card.refund == *refund && card.armed()).cloned()
    }
}

impl Card {
    fn is_of(&self, terms: &JsValue) -> bool {
        self.refund == get(terms, "refund_id")
    }

    fn take(self: &Rc<Card>, app: &'static App, terms: &JsValue) {
        let before = get(&self.data, "t");
        if same(&before, terms) {
            return;
        }
        set(&self.data, "t", terms);
        let people = number(terms, "people") - number(terms, "approved_by");
        put(&self.data, "people", if people > 1.0 { people } else { 0.0 });
        let held = get(terms, "state") == "held";
        put(&self.data, "paying", !held);
        put(&self.data, "alone", held && !truthy(terms, "waiting"));
        let mut words = String::new();
        for said in items(terms, "untrusted.agent_words").iter().filter_map(JsValue::as_string) {
            words.push_str(&visible(&said));
            words.push('\n');
        }
        put(&self.data, "words", if words.is_empty() { "(none)" } else { &words });
        set(&self.data, "before", &before);
        if before.is_object() && get(&before, "digest") != get(terms, "digest") {
            let mut changed = Vec::new();
            for part in ["amount", "versions.order", "versions.ticket", "versions.rules"] {
                if get(&before, part) != get(terms, part) {
                    changed.push(part.strip_prefix("versions.").unwrap_or(part).into());
                }
            }
            self.changed("Changed since it was shown: {changed}.", changed);
        }
        self.disarm(app);
    }

    /// Says which of the things that decide are different now.
    fn changed(&self, says: &str, what: Vec<JsValue>) {
        let mut names = String::new();
        for part in what {
            let name = match part.as_string().unwrap_or_default().as_str() {
                "amount" => "the amount (shown was {before.display})",
                "order" => "the order's record",
                "ticket" => "the ticket",
                "rules" => "the rules",
                _ => "something that decides",
            };
            if !names.is_empty() {
                names.push_str(", ");
            }
            names.push_str(name);
        }
        set(&self.data, "changed", &write(&names, &self.data));
        self.tell(write(says, &self.data));
    }

    /// Turns the buttons off for a moment. They stay where they are and keep the focus.
    fn disarm(self: &Rc<Card>, app: &'static App) {
        self.armed_at.set(clock() + f64::from(ARMS_AFTER));
        self.draw();
        let card = Rc::clone(self);
        app.spawn(async move {
            door::wait(ARMS_AFTER + 10).await;
            card.draw();
        });
    }

    fn armed(&self) -> bool {
        !self.busy.get() && !self.ended.get() && clock() >= self.armed_at.get()
    }

    fn draw(&self) {
        put(&self.data, "off", if self.armed() { "" } else { "true" });
        put(&self.data, "ended", if self.ended.get() { "true" } else { "" });
        draw(&self.view, &self.data);
    }

    fn tell(&self, words: impl Into<JsValue>) {
        put(&self.data, "message", words);
        self.draw();
    }

    /// It is decided or gone.
    fn end(&self, words: &str) {
        if !self.ended.replace(true) {
            self.tell(write(words, &self.data));
        }
    }

    fn note(&self, decision: &JsValue, key: &str, control: &str) {
        let note = get(&self.view, control);
        if truthy(&note, "value") {
            set(decision, key, &get(&note, "value"));
        }
    }
}

/// A person pressed Approve or Reject.
pub(crate) async fn decide(app: &'static App, panel: &'static Panel, refund: JsValue, approved: bool) {
    let Some(card) = panel.cards.ready(&refund) else { return };
    card.busy.set(true);
    card.tell("Sending\u{2026}");
    let decision = object();
    set(&decision, "digest", &get(&card.data, "t.digest"));
    let open = address("approvals.open", "refund_id", &refund);
    let mut said = settled(ask("POST", &open, Who::Page, &decision)).await;
    if said.ok() {
        set(&decision, "nonce", &get(&said.body, "nonce"));
        put(&decision, "approved", approved);
        card.note(&decision, "note_to_customer", "customer");
        card.note(&decision, "note_internal", "internal");
        said = settled(ask("POST", &get(&app.config, "approvals.decide"), Who::Page, &decision)).await;
    }
    card.busy.set(false);
    card.answered(app, &said);
    refresh::want(app, ALL);
}

impl Card {
    fn answered(self: &Rc<Card>, app: &'static App, said: &Answer) {
        if !said.ok() {
            return self.refused(app, said);
        }
        set(&self.data, "said", &said.body);
        match text(&said.body, "state").as_str() {
            "paid" => self.end("Approved: {t.display} was refunded, reference {said.reference}."),
            "rejected" => self.end("Rejected: {t.display} was not refunded."),
            "failed" => self.end("Approved, but the payment provider did not pay."),
            "held" => self.tell("Your approval is noted. Others still have to approve."),
            _ => self.tell("Approved. The payment is on its way."),
        }
    }

    fn refused(self: &Rc<Card>, app: &'static App, said: &Answer) {
        if get(&said.body, "error") == "TERMS_CHANGED" {
            set(&self.data, "before", &get(&self.data, "t"));
            let says = "Nothing was decided, because this changed: {changed}. Look again, then press.";
            self.changed(says, items(&said.body, "changed"));
            return self.disarm(app);
        }
        let reason = get(&said.body, "reason");
        let nobody = "The desk did not answer. Whether it heard you shows here once it is back.";
        self.tell(if reason.is_truthy() { reason } else { nobody.into() });
    }
}

/// A person would approve less.
pub(crate) async fn lower(app: &'static App, panel: &'static Panel, refund: JsValue) {
    let Some(card) = panel.cards.ready(&refund) else { return };
    let wanted = object();
    set(&wanted, "amount", &get(&card.view, "less.value"));
    let place = address("approvals.amount", "refund_id", &refund);
    let said = settled(ask("POST", &place, Who::Page, &wanted)).await;
    if said.ok() {
        card.take(app, &said.body);
    } else {
        card.refused(app, &said);
    }
}
