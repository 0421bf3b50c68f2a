//! The pages: rendered on the server, working without script except where the widget is needed.
//!
//! Each page is a template in `templates/` over plain values; the modules here make those values from records. Text of
//! strangers comes in through [`plain`] only.

pub mod api;
pub mod assets;
pub mod card;
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
