//! A model's answer, down to what it said.

use serde_json::value::RawValue;

use crate::code::Code;
use crate::members::Members;

/// The content of the first choice.
pub(super) fn text(body: &[u8]) -> Result<String, Code> {
    let body = core::str::from_utf8(body).map_err(|_| Code::ModelBroken)?;
    let answer = Members::read(body).ok_or(Code::ModelBroken)?;
    let choices: Vec<&RawValue> = answer
        .first("choices")
        .and_then(|raw| serde_json::from_str(raw.get()).ok())
        .ok_or(Code::ModelBroken)?;
    let choice = choices.first().and_then(|raw| Members::read(raw.get())).ok_or(Code::ModelBroken)?;
    let word = |raw: &RawValue| serde_json::from_str::<String>(raw.get()).ok();
    match choice.first("finish_reason").and_then(word).as_deref() {
        None | Some("stop") => {}
        Some(_) => return Err(Code::ReplyCut),
    }
    let message =
        choice.first("message").and_then(|raw| Members::read(raw.get())).ok_or(Code::ModelBroken)?;
    message.first("content").and_then(word).ok_or(Code::ModelBroken)
}
