//! The pages: rendered on the server, working without script except where the widget is needed.
//!
//! Each page is a template in `templates/` over plain values. [`desk`] and [`console`] answer requests; [`forms`] takes
//! what people send; the other modules make values from records. Text of strangers comes in through [`plain`] only.

pub mod answer;
pub mod api;
pub mod assets;
pub mod card;
pub mod console;
pub mod desk;
pub mod forms;
pub mod moment;
pub mod notice;
pub mod order;
pub mod plain;
pub mod problem;
pub mod queue;
pub mod record;
pub mod rules;
pub mod shell;
pub mod ticket;
pub mod view;

#[cfg(test)]
mod tests;

use axum::Router;

use crate::http::App;

/// The desk's pages.
pub fn desk_router() -> Router<App> {
    desk::router().merge(forms::router())
}

/// The console's pages.
pub fn console_router() -> Router<App> {
    console::router()
}

/// The style sheet, the script that keeps a page current, and the icon.
pub fn files() -> Router<App> {
    assets::router()
}
