//! What people and agents do at a desk over HTTP, in one step each.

use serde_json::{Value, json};

use crate::chromium::Profile;
use crate::desk::Desk;
use crate::http::{Answer, Client};
use crate::page::Page;

/// A refund that is held, and its card.
#[derive(Clone, Debug)]
pub struct Held {
    /// The refund.
    pub refund: String,
    /// What the approver's card shows.
    pub card: Value,
}

impl Client {
    /// Sorts a ticket, as a person.
    pub async fn triage(&self, ticket: &str) {
        let triage = json!({"category": "refund_request"});
        self.post(&format!("/api/tickets/{ticket}/triage"), &triage).await.ok(200);
    }

    /// An agent about one ticket of this person's sandbox, over HTTP.
    pub async fn agent_of(&self, ticket: &str) -> Client {
        let made = self.post("/api/agents", &json!({"ticket_id": ticket})).await.ok(201);
        let token = made["token"].as_str().unwrap_or_default();
        assert!(token.starts_with("qa_"), "{made}");
        self.without("cookie").without("origin").agent(token)
    }

    /// Triages a ticket and has an agent ask for a refund of it.
    pub async fn held(&self, ticket: &str, amount: &str) -> Held {
        self.triage(ticket).await;
        let agent = self.agent_of(ticket).await;
        let staged =
            agent.post("/api/refund/stage", &json!({"ticket_id": ticket, "amount": amount})).await.ok(201);
        let refund = staged["refund_id"].as_str().unwrap_or_default().to_owned();
        Held { card: self.card(&refund).await, refund }
    }

    /// The card of a refund, as an approver sees it.
    pub async fn card(&self, refund: &str) -> Value {
        let cards = self.get("/api/approvals").await.ok(200);
        let cards = cards["approvals"].as_array().cloned().unwrap_or_default();
        cards.into_iter().find(|card| card["refund_id"] == refund).unwrap_or_default()
    }

    /// A nonce for the card as it was shown.
    pub async fn nonce(&self, held: &Held) -> String {
        let opened = self.open(&held.refund, &held.card["digest"]).await.ok(200);
        opened["nonce"].as_str().unwrap_or_default().to_owned()
    }

    /// Asks for a nonce.
    pub async fn open(&self, refund: &str, digest: &Value) -> Answer {
        self.post(&format!("/api/approvals/{refund}/open"), &json!({"digest": digest})).await
    }

    /// Decides with a nonce, on the card as it was shown.
    pub async fn decide(&self, nonce: &str, approved: bool, digest: &Value) -> Answer {
        self.post("/api/refund/decide", &json!({"nonce": nonce, "approved": approved, "digest": digest}))
            .await
    }

    /// Approves what is held.
    pub async fn approve(&self, held: &Held) -> Answer {
        let nonce = self.nonce(held).await;
        self.decide(&nonce, true, &held.card["digest"]).await
    }

    /// Where a refund stands, as its ticket lists it.
    pub async fn refund_state(&self, ticket: &str, refund: &str) -> String {
        let ticket = self.get(&format!("/api/tickets/{ticket}")).await.ok(200);
        let refunds = ticket["refunds"].as_array().cloned().unwrap_or_default();
        let found = refunds.into_iter().find(|line| line["refund_id"] == refund).unwrap_or_default();
        found["state"].as_str().unwrap_or_default().to_owned()
    }
}

impl Desk {
    /// The sign-in link of the console, which a desk that decides there says in its second line.
    pub fn sign_in_link(&self) -> String {
        let line = self.says();
        let link = line.split_whitespace().find(|word| word.starts_with("http://"));
        link.unwrap_or_else(|| panic!("no link in {line:?}")).to_owned()
    }

    /// Signs an approver in, and gives the tab that shows the console.
    pub async fn console_page(&self, profile: &Profile) -> Page {
        let console = profile.open(&self.sign_in_link()).await;
        console.load(async { console.find("button", "Sign in").await.click().await }).await;
        console
    }
}
