//! Structured logs on standard error. What they say is in `docs/LOGGING.md`: ids, codes, times; never text of customers.

use tracing_subscriber::EnvFilter;

/// Starts logging: text, or one JSON object a line. `filter` is a level or a list like `info,server=debug`.
pub fn start(json: bool, filter: &str) {
    let filter = EnvFilter::try_new(filter).unwrap_or_else(|_| EnvFilter::new("info"));
    let builder = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    let started = if json {
        builder.json().flatten_event(true).try_init()
    } else {
        builder.with_target(false).try_init()
    };
    if started.is_err() {
        tracing::debug!("logging was started before");
    }
}
