//! One POST to a model elsewhere, over TLS. No redirect is followed, so that a key goes nowhere else.

use std::io::Read as _;
use std::time::Instant;

use ureq::tls::{RootCerts, TlsConfig};

use super::{Answered, LONGEST_REPLY, left};
use crate::code::Code;

pub(super) fn post(url: &str, key: Option<&str>, body: &str, until: Instant) -> Result<Answered, Code> {
    let agent = ureq::Agent::config_builder()
        .timeout_global(Some(left(until)?))
        .max_redirects(0)
        .max_redirects_will_error(true)
        .http_status_as_error(false)
        .https_only(true)
        .tls_config(TlsConfig::builder().root_certs(RootCerts::WebPki).build())
        .build()
        .new_agent();
    let mut request = agent.post(url).header("Content-Type", "application/json");
    if let Some(key) = key {
        request = request.header("Authorization", &format!("Bearer {key}"));
    }
    let mut response = request.send(body).map_err(|error| match error {
        ureq::Error::Timeout(_) => Code::Deadline,
        _ => Code::ModelUnreachable,
    })?;
    let status = response.status().as_u16();
    let mut body = Vec::new();
    if status == 200 {
        let most = u64::try_from(LONGEST_REPLY).unwrap_or(u64::MAX);
        response
            .body_mut()
            .as_reader()
            .take(most + 1)
            .read_to_end(&mut body)
            .map_err(|_| left(until).err().unwrap_or(Code::ModelBroken))?;
        if body.len() > LONGEST_REPLY {
            return Err(Code::ReplyTooLarge);
        }
    }
    Ok(Answered { status, body })
}
