//! What people send from the desk's pages. Each form leads back to a page, with one line of what happened.

use axum::extract::rejection::FormRejection;
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::response::Response;
use axum::routing::post;
use axum::{Form, Router};
use desk::id::TicketId;
use serde::Deserialize;
use web::ApiError;
use wire::ticket::{Category, Compose};

use super::answer::{back, bad_form, done, notice_of};
use super::notice::Notice;
use super::shell::back_to;
use crate::http::App;
use crate::http::app::known;
use crate::http::caller::{Caller, Page};
use crate::http::tickets::{self, Act, within};
use crate::store::{self, Actor};

/// The largest form: a message of 65,536 characters, each written as up to twelve.
const LARGEST: usize = 1024 * 1024;

/// The forms of the desk.
pub fn router() -> Router<App> {
    Router::new()
        .route("/t/{id}/triage", post(triage))
        .route("/t/{id}/reply", post(reply))
        .route("/t/{id}/escalate", post(escalate))
        .route("/t/{id}/resolve", post(resolve))
        .route("/t/{id}/reopen", post(reopen))
        .route("/compose", post(compose))
        .route("/reset", post(reset))
        .route("/stop", post(stop))
        .route("/resume", post(resume))
        .layer(DefaultBodyLimit::max(LARGEST))
}

type Sent<T> = Result<Form<T>, FormRejection>;

fn read<T>(sent: Sent<T>) -> Result<T, ApiError> {
    sent.map(|Form(sent)| sent).map_err(|_| bad_form())
}

/// Forms send line breaks as two characters.
fn lines(text: &str) -> String {
    text.replace("\r\n", "\n")
}

/// Does something to a ticket and leads back to its page.
async fn act(
    app: &App,
    page: Page,
    id: String,
    act: Result<Act<'_>, ApiError>,
    notice: Notice,
) -> Result<Response, ApiError> {
    let id: TicketId = known(id)?;
    let to = format!("/t/{id}");
    let acted = match act {
        Ok(act) => tickets::act(app, &Caller::Page(page), &id, act).await.map(|_| notice),
        Err(error) => Err(error),
    };
    match acted {
        // Its page is not there either.
        Err(error) if error.code == "NOT_FOUND" => Err(error),
        acted => done(&to, acted),
    }
}

#[derive(Deserialize)]
struct Triage {
    category: String,
}

async fn triage(
    State(app): State<App>,
    page: Page,
    Path(id): Path<String>,
    sent: Sent<Triage>,
) -> Result<Response, ApiError> {
    let category = read(sent).and_then(|sent| Category::parse(&sent.category).ok_or_else(bad_form));
    let triage = category.map(|category| Act::Triage(store::Triage { category, summary: None }));
    act(&app, page, id, triage, Notice::Triaged).await
}

#[derive(Deserialize)]
struct Reply {
    message: String,
}

async fn reply(
    State(app): State<App>,
    page: Page,
    Path(id): Path<String>,
    sent: Sent<Reply>,
) -> Result<Response, ApiError> {
    let message = read(sent).map(|sent| lines(&sent.message));
    let reply = match &message {
        Ok(message) => within("message", message, 1, 4_000).map(Act::Reply),
        Err(error) => Err(error.clone()),
    };
    act(&app, page, id, reply, Notice::Replied).await
}

#[derive(Deserialize)]
struct Escalate {
    reason: String,
}

async fn escalate(
    State(app): State<App>,
    page: Page,
    Path(id): Path<String>,
    sent: Sent<Escalate>,
) -> Result<Response, ApiError> {
    let reason = read(sent).map(|sent| lines(&sent.reason));
    let escalate = match &reason {
        Ok(reason) => within("reason", reason, 1, 280).map(Act::Escalate),
        Err(error) => Err(error.clone()),
    };
    act(&app, page, id, escalate, Notice::Escalated).await
}

async fn resolve(State(app): State<App>, page: Page, Path(id): Path<String>) -> Result<Response, ApiError> {
    act(&app, page, id, Ok(Act::Resolve), Notice::Resolved).await
}

async fn reopen(State(app): State<App>, page: Page, Path(id): Path<String>) -> Result<Response, ApiError> {
    act(&app, page, id, Ok(Act::Reopen), Notice::Reopened).await
}

#[derive(Deserialize)]
struct Written {
    customer: String,
    subject: String,
    message: String,
    #[serde(default)]
    order_id: String,
}

async fn compose(State(app): State<App>, page: Page, sent: Sent<Written>) -> Result<Response, ApiError> {
    let added = match read(sent) {
        Ok(sent) => {
            let compose = Compose {
                subject: sent.subject,
                customer: sent.customer,
                message: lines(&sent.message),
                order_id: Some(sent.order_id).filter(|id| !id.is_empty()),
            };
            tickets::add(&app, &page.workspace, compose).await
        }
        Err(error) => Err(error),
    };
    match added {
        Ok(id) => Ok(back(&format!("/t/{id}"), Notice::Composed)),
        Err(error) => notice_of(&error).map(|notice| back("/", notice)).ok_or(error),
    }
}

#[derive(Deserialize)]
struct Return {
    #[serde(default)]
    back: String,
}

fn return_to(sent: Sent<Return>) -> String {
    back_to(&sent.map(|Form(sent)| sent.back).unwrap_or_default())
}

async fn reset(State(app): State<App>, page: Page, sent: Sent<Return>) -> Result<Response, ApiError> {
    let reset = app.store().reset(&page.workspace, &Actor::Person, app.now()).await;
    done(&return_to(sent), reset.map(|()| Notice::Reset).map_err(Into::into))
}

async fn stop(State(app): State<App>, page: Page, sent: Sent<Return>) -> Result<Response, ApiError> {
    let stopped = app.store().stop(&page.workspace, &Actor::Person, true, app.now()).await;
    done(&return_to(sent), stopped.map(|()| Notice::Stopped).map_err(Into::into))
}

async fn resume(State(app): State<App>, page: Page, sent: Sent<Return>) -> Result<Response, ApiError> {
    let resumed = app.store().stop(&page.workspace, &Actor::Person, false, app.now()).await;
    done(&return_to(sent), resumed.map(|()| Notice::Resumed).map_err(Into::into))
}
