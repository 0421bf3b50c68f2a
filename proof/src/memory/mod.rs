//! A desk in memory: the functions of `desk` and `policy` behind the same contract as the server, as far as the cases
//! go. One rule at a time can be broken on purpose, to see which cases notice.
//!
//! It has one approver, who is the person at the page, and one moment: nothing here grows older.

mod approvals;
mod breaks;
mod moment;
mod refunds;
mod refusal;
mod routes;
mod show;
mod state;
mod texts;

use std::cell::RefCell;
use std::collections::BTreeMap;

pub use breaks::Break;
use serde_json::Value;

use crate::door::{self, Answer, Called, Door, Request, Trouble, Waits, Who};
use state::Desk;

/// The desk in memory.
#[derive(Debug)]
pub struct Memory {
    broken: Option<Break>,
    variants: usize,
    page: RefCell<Desk>,
    /// What callers without a credential reach.
    demo: RefCell<Desk>,
    /// The tool lists that were shown, in the one break where they are not rebuilt.
    lists: RefCell<BTreeMap<String, Vec<String>>>,
}

impl Memory {
    /// A desk with every rule in place. `variants` texts of strangers are tried in each step of that kind.
    pub fn new(variants: usize) -> Memory {
        Memory::with(None, variants)
    }

    /// A desk with one rule broken.
    pub fn broken(broken: Break, variants: usize) -> Memory {
        Memory::with(Some(broken), variants)
    }

    fn with(broken: Option<Break>, variants: usize) -> Memory {
        let (page, demo) = (RefCell::new(Desk::new(broken)), RefCell::new(Desk::new(broken)));
        Memory { broken, variants, page, demo, lists: RefCell::default() }
    }

    fn answer(&self, request: &Request) -> Answer {
        if request.who != Who::Anonymous {
            return self.page.borrow_mut().answer(request);
        }
        if self.broken == Some(Break::AnonymousIsPage) {
            return self.page.borrow_mut().answer(&Request { who: Who::Page, ..request.clone() });
        }
        self.demo.borrow_mut().answer(request)
    }
}

impl Door for Memory {
    type Open = Waits;

    async fn fresh(&self) -> Result<(), Trouble> {
        *self.page.borrow_mut() = Desk::new(self.broken);
        *self.demo.borrow_mut() = Desk::new(self.broken);
        self.lists.borrow_mut().clear();
        Ok(())
    }

    fn cannot_approve(&self) -> Option<String> {
        None
    }

    fn variants(&self) -> usize {
        self.variants
    }

    async fn send(&self, request: Request) -> Result<Answer, Trouble> {
        Ok(self.answer(&request))
    }

    async fn tools(&self, ticket: &str) -> Result<Vec<String>, Trouble> {
        let path = format!("/api/policy?ticket={ticket}");
        let permit = self.answer(&Request::get(Who::Agent(ticket.to_owned()), path)).json();
        let names =
            serde_json::from_value(permit.get("tools").cloned().unwrap_or(Value::Null)).unwrap_or_default();
        if self.broken != Some(Break::ToolListNotRebuilt) {
            return Ok(names);
        }
        Ok(self.lists.borrow_mut().entry(ticket.to_owned()).or_insert(names).clone())
    }

    async fn call(&self, ticket: &str, tool: &str, input: Value) -> Result<Called<Waits>, Trouble> {
        door::call_by_route(self, ticket, tool, input).await
    }

    async fn settle(&self, open: Waits) -> Result<Value, Trouble> {
        door::settle_by_route(self, open).await
    }
}
