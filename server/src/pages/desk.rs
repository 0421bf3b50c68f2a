//! Reading the desk: the queue, a ticket, the record, the rules, the API.

use axum::Router;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use axum::routing::get;
use desk::id::TicketId;
use desk::{Millis, ticket};
use policy::Strength;
use serde::Deserialize;
use web::ApiError;

use super::answer::{page, with_cookie};
use super::api::ApiView;
use super::queue::{Line, Queue};
use super::record::Trail;
use super::rules::{Case, RulesView};
use super::shell::{DeskHead, Here, Shell, Subject};
use super::ticket::TicketView;
use super::view::{ApiPage, DeskPage, OrderChoice, ProofPage, RecordPage, RulesPage, TicketPage};
use crate::http::app::known;
use crate::http::caller::{Visitor, agent_token};
use crate::http::{App, openapi, record, shape};
use crate::store::{AgentKind, StoreError, View, Workspace};

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
    }
}

/// Where approvers go; none while approval happens in the page.
fn console_url(app: &App) -> Option<String> {
    let config = app.config();
    (config.strength > Strength::InPage).then(|| config.console_url.clone())
}

/// Every ticket of a sandbox with the records it stands on.
async fn views(app: &App, workspace: &Workspace, now: Millis) -> Result<Vec<View>, StoreError> {
    let mut views = Vec::new();
    for ticket in app.store().tickets(workspace).await? {
        match app.store().view(workspace, &ticket.id, now).await {
            Ok(view) => views.push(view),
            // Reset meanwhile.
            Err(StoreError::NotFound) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(views)
}

async fn queue(
    app: &App,
    workspace: &Workspace,
    views: &[View],
    current: Option<&str>,
    now: Millis,
) -> Result<Queue, StoreError> {
    let mut lines = Vec::with_capacity(views.len());
    for view in views {
        let said = match app.store().conversation(workspace, &view.ticket.id).await {
            Err(StoreError::NotFound) => continue,
            said => said?,
        };
        lines.push(Line {
            ticket_id: view.ticket.id.to_string(),
            state: ticket::word(view.ticket.stage).to_owned(),
            subject: said.subject,
            customer: said.customer,
            received_at: view.ticket.received_at,
            held: view.own.is_some(),
        });
    }
    Ok(Queue::new(lines, current, now))
}

fn orders(views: &[View], now: Millis) -> Vec<OrderChoice> {
    let mut orders: Vec<_> = views.iter().filter_map(|view| view.order.as_ref()).collect();
    orders.sort_by(|a, b| a.id.cmp(&b.id));
    orders.dedup_by(|a, b| a.id == b.id);
    let choice = |order: &desk::order::Order| OrderChoice {
        id: order.id.to_string(),
        about: format!(
            "{}, bought {}",
            order.payment.captured.display(order.payment.currency),
            super::moment::Moment::new(order.purchased_at, now).relative
        ),
    };
    orders.into_iter().map(choice).collect()
}

async fn start(
    State(app): State<App>,
    visitor: Visitor,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let now = app.now();
    let views = views(&app, &visitor.workspace, now).await?;
    let shell = Shell::desk("Desk", Here::Desk, head(&app, None))
        .noting(asked.done.as_deref())
        .stopped(views.first().is_some_and(|view| view.stopped));
    let queue = queue(&app, &visitor.workspace, &views, None, now).await?;
    Ok(with_cookie(page(&DeskPage { shell, queue, orders: orders(&views, now) }), visitor.cookie))
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
    let shell = Shell::desk(id.as_str(), Here::Desk, head(&app, Some(subject)))
        .noting(asked.done.as_deref())
        .stopped(view.stopped);
    let views = views(&app, workspace, now).await?;
    let queue = queue(&app, workspace, &views, Some(id.as_str()), now).await?;
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
    let cases: Vec<Case> = views(&app, &visitor.workspace, now)
        .await?
        .into_iter()
        .map(|view| Case {
            ticket_id: view.ticket.id.to_string(),
            order_id: view.ticket.order.as_ref().map(ToString::to_string),
            order: view.facts(now),
            state: view.state(),
        })
        .collect();
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
    let first = app.store().tickets(&visitor.workspace).await?.into_iter().next();
    let stopped = match first {
        Some(ticket) => app.store().view(&visitor.workspace, &ticket.id, app.now()).await?.stopped,
        None => false,
    };
    Ok(Shell::desk(title, here, head(app, None)).noting(done).stopped(stopped))
}
