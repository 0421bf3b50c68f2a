//! A store of a test's own, and the hands that work on it.

use std::sync::Arc;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};

use desk::Millis;
use desk::id::{PaymentId, RefundId, TicketId};
use desk::money::Minor;
use desk::order::Payment;
use policy::{Purpose, Strength};
use server::clock::Clock;
use server::payments::{Answer, Ledger, Provider};
use server::store::{
    ActiveRules, Actor, Agent, AgentKind, Approved, Approver, Ask, Card, Claimed, Database, Limits, Mint,
    Press, Refund, Staged, Store, StoreError, Triage, Workspace,
};
use tempfile::TempDir;
use wire::ticket::Category;

use crate::store::postgres::Postgres;

/// Runs each test on SQLite and on PostgreSQL. A test that is not listed is dead code, which the lints notice.
macro_rules! on_each_database {
    ($($name:ident),+ $(,)?) => {
        $(mod $name {
            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn sqlite() {
                super::$name($crate::store::fixture::Desk::sqlite().await).await;
            }

            #[tokio::test(flavor = "multi_thread", worker_threads = 4)]
            async fn postgres() {
                if let Some(desk) = $crate::store::fixture::Desk::postgres().await {
                    super::$name(desk).await;
                }
            }
        })+
    };
}
pub(crate) use on_each_database;

/// A clock that stands still until it is moved.
#[derive(Debug)]
pub(crate) struct Hands(AtomicI64);

impl Clock for Hands {
    fn now(&self) -> Millis {
        Millis(self.0.load(Ordering::SeqCst))
    }
}

/// A store, its clock, and the rules it is worked under.
pub(crate) struct Desk {
    pub(crate) store: Store,
    pub(crate) rules: ActiveRules,
    pub(crate) database: Database,
    pub(crate) clock: Arc<Hands>,
    nonces: AtomicU64,
    _folder: Option<TempDir>,
}

/// A Monday.
pub(crate) const START: Millis = Millis(1_796_053_376_000);

pub(crate) fn sandbox() -> Workspace {
    Workspace::try_from("a1b2c3").unwrap()
}

pub(crate) fn ticket(name: &str) -> TicketId {
    TicketId::try_from(name).unwrap()
}

pub(crate) fn agent(credential: &str) -> Agent {
    Agent { kind: AgentKind::Tab, credential: credential.to_owned() }
}

pub(crate) fn approver(id: &str) -> Approver {
    Approver { id: id.to_owned(), strength: Strength::Console }
}

impl Desk {
    pub(crate) async fn sqlite() -> Desk {
        Desk::limited(Limits::default()).await
    }

    /// On SQLite, with limits of its own.
    pub(crate) async fn limited(limits: Limits) -> Desk {
        let folder = TempDir::with_prefix("quarantine store %?#").unwrap();
        let database = Database::Sqlite(folder.path().join("a folder"));
        Desk::open(database, limits, Some(folder)).await
    }

    pub(crate) async fn postgres() -> Option<Desk> {
        let database = Database::Postgres(Postgres::shared().await?.database());
        Some(Desk::open(database, Limits::default(), None).await)
    }

    async fn open(database: Database, limits: Limits, folder: Option<TempDir>) -> Desk {
        let store = Store::open(&database, limits, START).await.unwrap();
        Desk {
            store,
            rules: ActiveRules::demo(),
            database,
            clock: Arc::new(Hands(AtomicI64::new(START.0))),
            nonces: AtomicU64::new(0),
            _folder: folder,
        }
    }

    /// The same records through connections of their own, as another process has them.
    pub(crate) async fn another(&self) -> Store {
        Store::open(&self.database, Limits::default(), self.now()).await.unwrap()
    }

    pub(crate) fn now(&self) -> Millis {
        self.clock.now()
    }

    pub(crate) fn pass(&self, seconds: u64) {
        self.clock.0.store(self.now().plus_seconds(seconds).0, Ordering::SeqCst);
    }

    pub(crate) fn ledger(&self) -> Ledger {
        Ledger::new(self.store.clone())
    }

    pub(crate) async fn triage(&self, workspace: &Workspace, name: &str) {
        let triage = Triage { category: Category::RefundRequest, summary: None };
        self.store
            .triage(workspace, &Actor::Person, &ticket(name), triage, &self.rules, self.now())
            .await
            .unwrap();
    }

    pub(crate) async fn stage(
        &self,
        workspace: &Workspace,
        name: &str,
        amount: u64,
        by: &Agent,
    ) -> Result<Staged, StoreError> {
        self.say(workspace, name, amount, by, None).await
    }

    pub(crate) async fn say(
        &self,
        workspace: &Workspace,
        name: &str,
        amount: u64,
        by: &Agent,
        words: Option<&str>,
    ) -> Result<Staged, StoreError> {
        let ask = Ask { by, ticket: &ticket(name), amount: Minor(amount), words };
        self.store.stage(workspace, ask, &self.rules, self.now()).await
    }

    /// A refund that is held in the sandbox, its ticket triaged first.
    pub(crate) async fn held(&self, name: &str, amount: u64) -> Refund {
        self.triage(&sandbox(), name).await;
        self.hold(name, amount).await
    }

    /// A refund that is held in the sandbox.
    pub(crate) async fn hold(&self, name: &str, amount: u64) -> Refund {
        match self.stage(&sandbox(), name, amount, &agent("tab-1")).await {
            Ok(Staged::Held(refund)) => refund,
            other => panic!("not held: {other:?}"),
        }
    }

    pub(crate) async fn refund(&self, id: &RefundId) -> Refund {
        self.store.refund(id).await.unwrap()
    }

    pub(crate) async fn card(&self, id: &RefundId) -> Card {
        self.store.card(id, &self.rules, self.now()).await.unwrap()
    }

    /// A name for a nonce's hash that nobody used.
    pub(crate) fn fresh(&self) -> String {
        format!("hash-{}", self.nonces.fetch_add(1, Ordering::Relaxed))
    }

    /// A nonce for what the refund is now.
    pub(crate) async fn nonce(&self, id: &RefundId, by: &Approver) -> Result<String, StoreError> {
        let digest = self.card(id).await.digest;
        self.nonce_for(id, by, digest.as_str()).await
    }

    pub(crate) async fn nonce_for(
        &self,
        id: &RefundId,
        by: &Approver,
        digest: &str,
    ) -> Result<String, StoreError> {
        let hash = self.fresh();
        let expires_at = self.now().plus_seconds(60);
        let mint = Mint { refund: id, approver: by, digest, nonce_hash: &hash, expires_at };
        self.store.mint(mint, &self.rules, self.now()).await?;
        Ok(hash)
    }

    /// Presses Approve with a nonce.
    pub(crate) async fn press(&self, nonce: &str, by: &Approver) -> Result<Approved, StoreError> {
        self.store.approve(press(nonce, by), &self.rules, self.now()).await
    }

    /// Opens and presses Approve.
    pub(crate) async fn approve(&self, id: &RefundId, by: &Approver) -> Result<Approved, StoreError> {
        let nonce = self.nonce(id, by).await?;
        self.press(&nonce, by).await
    }

    /// Opens and presses Reject.
    pub(crate) async fn reject(&self, id: &RefundId) -> Refund {
        let by = approver("ann");
        let nonce = self.nonce(id, &by).await.unwrap();
        self.store.reject(press(&nonce, &by), &self.rules, self.now()).await.unwrap()
    }

    /// Approves by one person, up to the claim.
    pub(crate) async fn claimed(&self, id: &RefundId) -> Claimed {
        match self.approve(id, &approver("ann")).await {
            Ok(Approved::Claimed(claimed)) => claimed,
            other => panic!("not claimed: {other:?}"),
        }
    }

    /// Approves by one person and pays.
    pub(crate) async fn paid(&self, id: &RefundId, provider: &dyn Provider) -> Refund {
        let claimed = self.claimed(id).await;
        self.store.pay(provider, claimed, &*self.clock).await.unwrap()
    }

    pub(crate) async fn payment(&self, workspace: &Workspace, name: &str) -> Payment {
        self.store.view(workspace, &ticket(name), self.now()).await.unwrap().order.unwrap().payment
    }

    /// What has gone back and what is reserved of a ticket's payment in the sandbox, in minor units.
    pub(crate) async fn money(&self, name: &str) -> (u64, u64) {
        let payment = self.payment(&sandbox(), name).await;
        (payment.refunded.0, payment.reserved.0)
    }

    /// The code that decides for agents.
    pub(crate) async fn code(&self, workspace: &Workspace, name: &str) -> policy::Code {
        let view = self.store.view(workspace, &ticket(name), self.now()).await.unwrap();
        view.permit(&self.rules.rules, self.now(), Purpose::Agents).code()
    }

    /// Does something to the records that no operation does, as a shop's own import would.
    pub(crate) async fn sql(&self, statement: &'static str) {
        sqlx::query(statement).execute(&mut self.connection().await).await.unwrap();
    }

    /// One number out of the records.
    pub(crate) async fn number(&self, statement: &'static str) -> i64 {
        let row: (i64,) = sqlx::query_as(statement).fetch_one(&mut self.connection().await).await.unwrap();
        row.0
    }

    async fn connection(&self) -> sqlx::AnyConnection {
        use sqlx::Connection as _;
        let url = match &self.database {
            Database::Sqlite(folder) => {
                let file = folder.join("quarantine.db").to_str().unwrap().to_owned();
                format!("sqlite://{}", file.replace('%', "%25").replace('?', "%3F").replace('#', "%23"))
            }
            Database::Postgres(url) => url.clone(),
        };
        sqlx::AnyConnection::connect(&url).await.unwrap()
    }
}

pub(crate) fn press<'a>(nonce: &'a str, by: &'a Approver) -> Press<'a> {
    Press { nonce_hash: nonce, approver: by, digest: None, note_to_customer: None, note_internal: None }
}

/// The payment of T-101 and its one order.
pub(crate) fn boots() -> PaymentId {
    PaymentId::try_from("pay-A-5510").unwrap()
}

/// A provider that answers what it is told to, and counts how often it was asked to pay.
#[derive(Debug)]
pub(crate) struct Told {
    pub(crate) answer: Answer,
    pub(crate) found: server::payments::Found,
    pub(crate) asked: AtomicU64,
}

impl Told {
    pub(crate) fn to(answer: Answer) -> Told {
        Told { answer, found: server::payments::Found::Never, asked: AtomicU64::new(0) }
    }
}

impl Provider for Told {
    fn refund(&self, _: Claimed) -> server::payments::Asked<'_, Answer> {
        self.asked.fetch_add(1, Ordering::SeqCst);
        Box::pin(async { self.answer.clone() })
    }

    fn find<'a>(&'a self, _: &'a RefundId) -> server::payments::Asked<'a, server::payments::Found> {
        Box::pin(async { self.found.clone() })
    }
}
