//! The reading model: asked over the chat-completions protocol, never believed.

mod address;
#[cfg(feature = "https")]
mod far;
mod near;
mod reply;
mod request;

use std::fmt;
use std::time::{Duration, Instant};

pub use address::Address;

use crate::code::Code;
use crate::schema::Schema;

/// An answer longer than this is not read. In bytes.
pub const LONGEST_REPLY: usize = 1 << 20;

/// How the reply is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Some JSON object.
    Object,
    /// JSON of the schema, which the model's server is asked to hold to.
    Schema {
        /// Strictly.
        strict: bool,
    },
}

/// A reading model and how it is asked.
#[derive(Clone)]
pub struct Model {
    /// Where it is.
    pub address: Address,
    /// Its name there.
    pub name: String,
    /// Its key, sent as a bearer token.
    pub key: Option<String>,
    /// How long one question may take.
    pub wait: Duration,
    /// What it is told before the text.
    pub instructions: String,
    /// How the reply is asked for.
    pub format: Format,
    /// 0 to 2.
    pub temperature: f64,
    /// The longest reply, in tokens.
    pub max_tokens: Option<u32>,
    /// For models that repeat themselves when given one.
    pub seed: Option<i64>,
}

impl fmt::Debug for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Without the key.
        f.debug_struct("Model")
            .field("address", &self.address)
            .field("name", &self.name)
            .finish_non_exhaustive()
    }
}

/// One HTTP answer: status and body.
struct Answered {
    status: u16,
    body: Vec<u8>,
}

impl Model {
    /// Asks for the fields of a text. The reply's text comes back as it was said: hold it to the schema with
    /// [`Extraction::of_reply`](crate::Extraction::of_reply).
    ///
    /// # Errors
    /// No connection, no answer in time, an error, or nothing that is an answer.
    pub fn ask(&self, schema: &Schema, text: &str, deadline: Instant) -> Result<String, Code> {
        let until = deadline.min(Instant::now() + self.wait);
        let body = request::body(self, schema, text);
        let answered = match &self.address {
            Address::Near { .. } => near::post(&self.address, self.key.as_deref(), &body, until)?,
            #[cfg(feature = "https")]
            Address::Far(url) => far::post(url, self.key.as_deref(), &body, until)?,
            #[cfg(not(feature = "https"))]
            Address::Far(_) => return Err(Code::Settings),
        };
        match answered.status {
            200 => reply::text(&answered.body),
            401 | 403 => Err(Code::ModelAuth),
            _ => Err(Code::ModelRefused),
        }
    }
}

/// The time that is left, or the code for none.
fn left(until: Instant) -> Result<Duration, Code> {
    match until.checked_duration_since(Instant::now()) {
        Some(left) if !left.is_zero() => Ok(left),
        _ => Err(Code::Deadline),
    }
}
