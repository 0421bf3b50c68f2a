//! Reading the desk: the queue, a ticket, the record, the rules, the API.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use desk::id::TicketId;
use desk::order::Order;
use desk::{Millis, ticket};
use policy::Strength;
use serde::Deserialize;
use web::ApiError;

use super::answer::{page, with_cookie};
use super::api::ApiView;
use super::moment::Moment;
use super::queue::{Line, Queue};
use super::record::Trail;
use super::rules::{Case, RulesView};
use super::shell::{DeskHead, Here, Shell, Subject};
use super::ticket::TicketView;
use super::view::{ApiPage, DeskPage, OrderChoice, ProofPage, RecordPage, RulesPage, TicketPage};
use crate::http::app::known;
use crate::http::caller::{Visitor, agent_token};
use crate::http::{App, openapi, record, shape};
use crate::store::{self, AgentKind, StoreError};

/// The desk's pages that only read.
pub fn router() -> Router<App> {
    Router::new()
        .route("/", get(start))
        .route("/t/{id}", get(one_ticket))
        .route("/record", get(trail))
        .route("/policy", get(rules))
        .route("/docs", get(api))
        .route("/proof.html", get(proof))
}

/// How many tickets the rules are shown at work on.
const CASES: usize = 60;

#[derive(Deserialize)]
struct Asked {
    /// What a form that was just sent came to.
    done: Option<String>,
    /// Only this ticket.
    ticket: Option<String>,
}

fn head(app: &App, subject: Option<Subject>) -> DeskHead {
    DeskHead {
        subject,
        strength: shape::strength(app.config().strength).to_owned(),
        console_url: console_url(app).unwrap_or_default(),
        widget: false,
    }
}

/// The head of a page that has the panel in it.
fn with_widget(app: &App, subject: Option<Subject>) -> DeskHead {
    DeskHead { widget: true, ..head(app, subject) }
}

/// Where approvers go; none while approval happens in the page.
fn console_url(app: &App) -> Option<String> {
    let config = app.config();
    (config.strength > Strength::InPage).then(|| config.console_url.clone())
}

fn queue(listed: store::Queue, current: Option<&str>, now: Millis) -> Queue {
    let line = |line: store::Line| Line {
        ticket_id: line.ticket.id.to_string(),
        state: ticket::word(line.ticket.stage).to_owned(),
        subject: line.subject,
        customer: line.customer,
        received_at: line.ticket.received_at,
        held: line.open_refund,
    };
    Queue::new(listed.lines.into_iter().map(line), current, now)
}

fn choice(order: &Order, now: Millis) -> OrderChoice {
    let payment = &order.payment;
    let (captured, bought) =
        (payment.captured.display(payment.currency), Moment::new(order.purchased_at, now));
    OrderChoice { id: order.id.to_string(), about: format!("{captured}, bought {}", bought.relative) }
}

async fn start(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let listed = app.store().queue(&visitor.workspace).await?;
    let orders = app.store().orders(&visitor.workspace).await?;
    let shell = Shell::desk("Desk", Here::Desk, with_widget(&app, None))
        .noting(asked.done.as_deref())
        .stopped(listed.stopped);
    let orders = orders.iter().map(|order| choice(order, now)).collect();
    Ok(with_cookie(page(&DeskPage { shell, queue: queue(listed, None, now), orders }), visitor.cookie))
}

async fn one_ticket(
    State(app): State<App>,
    visitor: Visitor,
    Path(id): Path<String>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let id: TicketId = known(id)?;
    let workspace = &visitor.workspace;
    let now = app.now();
    let (view, permit) = app.view(workspace, &id).await?;
    let conversation = app.store().conversation(workspace, &id).await?;
    let refunds = app.store().refunds(workspace, &id).await?;
    let told = shape::ticket(&view, &permit, conversation, &refunds);
    let ticket = TicketView::new(&told, &shape::permit(&view, &permit), now);
    let token = |kind| agent_token(&app, workspace, kind, &id).0;
    let subject =
        Subject { ticket_id: id.to_string(), agent: token(AgentKind::Tab), played: token(AgentKind::Played) };
    let shell = Shell::desk(id.as_str(), Here::Desk, with_widget(&app, Some(subject)))
        .noting(asked.done.as_deref())
        .stopped(view.stopped);
    let queue = queue(app.store().queue(workspace).await?, Some(id.as_str()), now);
    let console = console_url(&app);
    Ok(with_cookie(page(&TicketPage { shell, queue, ticket, console }), visitor.cookie))
}

async fn trail(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let ticket: Option<TicketId> = asked.ticket.map(known).transpose()?;
    let entries = record::entries(&app, &visitor.workspace, ticket.as_ref()).await?;
    let trail = Trail::new(&entries, ticket.as_ref().map(TicketId::as_str), app.now());
    let shell = other(&app, &visitor, "Record", Here::Record, asked.done.as_deref()).await?;
    Ok(with_cookie(page(&RecordPage { shell, trail }), visitor.cookie))
}

async fn rules(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let active = app.rules().await?;
    let listed = app.store().queue(&visitor.workspace).await?;
    let mut cases = Vec::new();
    for line in listed.lines.iter().take(CASES) {
        let view = match app.store().view(&visitor.workspace, &line.ticket.id, now).await {
            // Reset meanwhile.
            Err(StoreError::NotFound) => continue,
            view => view?,
        };
        cases.push(Case {
            ticket_id: view.ticket.id.to_string(),
            order_id: view.ticket.order.as_ref().map(ToString::to_string),
            order: view.facts(now),
            state: view.state(),
        });
    }
    let rules = RulesView::new(&active.rules, active.version, &cases);
    let shell = other(&app, &visitor, "Rules", Here::Rules, asked.done.as_deref()).await?;
    Ok(with_cookie(page(&RulesPage { shell, rules }), visitor.cookie))
}

async fn api(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let document = serde_json::to_value(openapi::document()).unwrap_or_default();
    let shell = other(&app, &visitor, "API", Here::Api, asked.done.as_deref()).await?;
    Ok(with_cookie(page(&ApiPage { shell, api: ApiView::new(&document) }), visitor.cookie))
}

async fn proof(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let shell = other(&app, &visitor, "Proof", Here::Proof, asked.done.as_deref()).await?;
    Ok(with_cookie(page(&ProofPage { shell }), visitor.cookie))
}

/// What stands round a page that is about no ticket.
async fn other(
    app: &App,
    visitor: &Visitor,
    title: &str,
    here: Here,
    done: Option<&str>,
) -> Result<Shell, StoreError> {
    let stopped = app.store().queue(&visitor.workspace).await?.stopped;
    Ok(Shell::desk(title, here, head(app, None)).noting(done).stopped(stopped))
}
