//! The console: an origin of its own, where an approver decides. No widget, never framed.

use axum::extract::rejection::FormRejection;
use axum::extract::{Path, Query, State};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Form, Router, middleware};
use desk::id::RefundId;
use http::request::Parts;
use http::{HeaderName, HeaderValue, StatusCode};
use serde::Deserialize;
use web::{ApiError, origin};
use wire::approval::Decide;

use super::answer::{back, bad_form, done, page, with_cookie};
use super::card::{Console, Decided};
use super::notice::Notice;
use super::shell::Shell;
use super::view::{ConsolePage, SignInPage};
use crate::http::app::known;
use crate::http::caller::{Approver, CONSOLE_COOKIE};
use crate::http::face::Face;
use crate::http::{App, approvals, console, shape};

/// The longest code of a sign-in link.
const CODE: usize = 200;

/// The console's pages.
pub fn router() -> Router<App> {
    Router::new()
        .route("/", get(waiting))
        .route("/approvals/{id}/decide", post(decide))
        .route("/approvals/{id}/amount", post(lower))
        .route("/sign-in", get(sign_in_page).post(sign_in))
        .route("/sign-out", post(sign_out))
        .layer(middleware::map_response(no_tools))
}

/// No page here may register a tool, not even one that an extension or a mistake of ours brings in.
async fn no_tools(mut response: Response) -> Response {
    let name = HeaderName::from_static("permissions-policy");
    response.headers_mut().insert(name, HeaderValue::from_static("tools=()"));
    response
}

#[derive(Deserialize)]
struct Asked {
    /// The refund whose card is open; none: the oldest.
    refund: Option<String>,
    /// The refund that was just decided.
    decided: Option<String>,
    /// What a form that was just sent came to.
    done: Option<String>,
}

async fn waiting(
    State(app): State<App>,
    approver: Option<Approver>,
    Query(asked): Query<Asked>,
) -> Result<Response, ApiError> {
    let Some(approver) = approver else {
        let shell = Shell::console("Signed out", false).noting(asked.done.as_deref());
        let mut response = page(&SignInPage { shell, code: None });
        *response.status_mut() = StatusCode::UNAUTHORIZED;
        return Ok(response);
    };
    let cards = approvals::cards(&app, &approver, None).await?;
    let cards: Vec<_> =
        cards.iter().map(|card| shape::card(card, approvals::waits(&app, &card.refund))).collect();
    let mut console = Console::new(&cards, asked.refund.as_deref(), app.now());
    if let Some(id) = asked.decided.and_then(|id| RefundId::try_from(id).ok()) {
        // It may be somebody else's, or gone with its sandbox: then there is nothing to tell.
        let refund = approvals::seen(&app, &approver, &id).await.ok();
        console.last =
            refund.map(|refund| Decided::new(&shape::refund_line(&refund), refund.ticket.as_str()));
    }
    let shell = Shell::console("Approvals", true).noting(asked.done.as_deref());
    Ok(page(&ConsolePage { shell, console }))
}

type Sent<T> = Result<Form<T>, FormRejection>;

#[derive(Deserialize)]
struct Press {
    digest: String,
    approved: String,
    #[serde(default)]
    note_to_customer: String,
    #[serde(default)]
    note_internal: String,
}

impl Press {
    fn read(sent: Sent<Press>) -> Result<Decide, ApiError> {
        let Form(press) = sent.map_err(|_| bad_form())?;
        let approved = match press.approved.as_str() {
            "yes" => true,
            "no" => false,
            _ => return Err(bad_form()),
        };
        let note = |text: String| Some(text.replace("\r\n", "\n")).filter(|text| !text.trim().is_empty());
        Ok(Decide {
            nonce: String::new(),
            approved,
            digest: Some(press.digest),
            note_to_customer: note(press.note_to_customer),
            note_internal: note(press.note_internal),
        })
    }
}

async fn decide(
    State(app): State<App>,
    approver: Approver,
    Path(id): Path<String>,
    sent: Sent<Press>,
) -> Result<Response, ApiError> {
    let id: RefundId = known(id)?;
    let pressed = match Press::read(sent) {
        Ok(decide) => approvals::press_now(&app, &approver, &id, decide).await,
        Err(error) => Err(error),
    };
    let notice = match pressed {
        Ok(web::Json(decided)) => match decided.state.as_str() {
            "paid" => Ok(Notice::Paid),
            "rejected" => Ok(Notice::Rejected),
            "failed" => Ok(Notice::Failed),
            "held" => Ok(Notice::OneMore),
            _ => Ok(Notice::Unknown),
        },
        Err(error) => Err(error),
    };
    // What was not decided stays open; after a decision the list begins anew with the oldest.
    let to = match &notice {
        Ok(_) => format!("/?decided={id}"),
        Err(_) => format!("/?refund={id}"),
    };
    done(&to, notice)
}

#[derive(Deserialize)]
struct Lower {
    amount: String,
}

async fn lower(
    State(app): State<App>,
    approver: Approver,
    Path(id): Path<String>,
    sent: Sent<Lower>,
) -> Result<Response, ApiError> {
    let id: RefundId = known(id)?;
    let lowered = match sent {
        Ok(Form(sent)) => {
            let text = sent.amount.trim();
            approvals::lower_to(&app, &approver, &id, text).await.map(|_| Notice::Lowered)
        }
        Err(_) => Err(bad_form()),
    };
    done(&format!("/?refund={id}"), lowered)
}

#[derive(Deserialize)]
struct Link {
    code: Option<String>,
}

async fn sign_in_page(Query(link): Query<Link>) -> Response {
    let code = link.code.filter(|code| !code.is_empty() && code.len() <= CODE);
    page(&SignInPage { shell: Shell::console("Sign in", false), code })
}

/// Passes a form of our own page.
struct Own;

impl<S: Sync> axum::extract::FromRequestParts<S> for Own {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Own, ApiError> {
        origin::require_own(&parts.headers, &Face::of(parts).origin).map(|()| Own)
    }
}

async fn sign_in(State(app): State<App>, _: Own, sent: Sent<Link>) -> Result<Response, ApiError> {
    let code = sent.ok().and_then(|Form(link)| link.code).unwrap_or_default();
    match console::sign_in(&app, &code).await {
        Ok(cookie) => Ok(with_cookie(back("/", Notice::SignedIn), Some(cookie))),
        Err(error) => done("/", Err(error)),
    }
}

async fn sign_out(State(app): State<App>, _: Own, headers: http::HeaderMap) -> Result<Response, ApiError> {
    let Some(cookie) = CONSOLE_COOKIE.read(&headers, app.https()) else {
        return Ok(back("/", Notice::SignedOut).into_response());
    };
    let gone = console::sign_out(&app, &cookie).await?;
    Ok(with_cookie(back("/", Notice::SignedOut), Some(gone)))
}
