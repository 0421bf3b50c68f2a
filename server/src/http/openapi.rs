//! The API's own description.

use axum::Router;
use axum::routing::get;
use utoipa::openapi::{Info, OpenApi};
use web::Json;

use crate::http::App;

/// Serves the document at `/openapi.json`.
pub fn router(document: OpenApi) -> Router<App> {
    let document = described(document);
    Router::new().route("/openapi.json", get(async move || Json(document.clone())))
}

/// The whole description, as `/openapi.json` has it.
pub fn document() -> OpenApi {
    described(super::api().split_for_parts().1)
}

fn described(mut document: OpenApi) -> OpenApi {
    let mut info = Info::new("Quarantine", env!("CARGO_PKG_VERSION"));
    info.description = Some(
        "A support desk whose agents hold what the records permit. Every error is {error, reason}."
            .to_owned(),
    );
    document.info = info;
    document
}
