//! The steps that try many texts: messages, headers, summaries, and nonces.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use crate::case::{Do, Step};
use crate::door::{Door, Request, Trouble, Who};
use crate::expect::Compared;
use crate::run::Session;
use crate::variants::{self, Variant};

/// After so many composed tickets the desk starts anew, so that no limit of a sandbox is met.
const AT_ONCE: usize = 40;

/// How many texts are tried as a nonce at most.
const REPLAYED: usize = 120;

/// Tries many texts of strangers; the permit must be the same bytes for all of them. Gives what was done, what came,
/// and how many texts were tried.
pub(crate) async fn mutate<D: Door>(
    door: &D,
    step: &Step,
    ticket: &str,
) -> Result<(String, Compared, usize), Trouble> {
    let order = step.input.get("order_id").and_then(toml::Value::as_str).unwrap_or_default();
    let mut permits = BTreeSet::new();
    let mut differs = String::new();
    let (mut tried, mut refused) = (0, 0);
    for (place, variant) in variants::all().take(door.variants()).enumerate() {
        if place % AT_ONCE == AT_ONCE - 1 {
            door.fresh().await?;
        }
        let permit = match step.act {
            Do::MutateHeaders => Some(with_headers(door, ticket, &variant).await?),
            Do::MutateTriage => with_summary(door, order, &variant, place).await?,
            _ => with_message(door, order, &variant).await?,
        };
        match permit {
            Some(permit) => {
                tried += 1;
                if permits.insert(permit) && permits.len() == 2 {
                    differs =
                        format!(", first with “{}”", variant.message.chars().take(60).collect::<String>());
                }
            }
            None => refused += 1,
        }
    }
    let did = match step.act {
        Do::MutateHeaders => "asks with many different headers",
        Do::MutateTriage => "sorts with many different summaries",
        _ => "reads many different messages, subjects and names",
    };
    let compared = Compared {
        expected: String::from("one permit, byte for byte"),
        got: format!("{} from {tried} texts{differs}; {refused} texts were not accepted", permits.len()),
        ok: permits.len() == 1 && tried > refused,
    };
    Ok((String::from(did), compared, tried))
}

async fn with_message<D: Door>(door: &D, order: &str, variant: &Variant) -> Result<Option<String>, Trouble> {
    match compose(door, order, variant).await? {
        Some(ticket) => permit(door, &ticket, Vec::new()).await.map(Some),
        None => Ok(None),
    }
}

async fn with_summary<D: Door>(
    door: &D,
    order: &str,
    variant: &Variant,
    place: usize,
) -> Result<Option<String>, Trouble> {
    let Some(ticket) = compose(door, order, variant).await? else { return Ok(None) };
    let categories = wire::ticket::Category::ALL.map(wire::ticket::Category::as_str);
    let category = categories.get(place % categories.len()).copied().unwrap_or("other");
    let summary: String = variant.message.chars().take(280).collect();
    let body = json!({"category": category, "summary": summary}).to_string();
    let answer = door.send(Request::post(Who::Page, format!("/api/tickets/{ticket}/triage"), body)).await?;
    if answer.status != 200 {
        return Ok(None);
    }
    permit(door, &ticket, Vec::new()).await.map(Some)
}

async fn with_headers<D: Door>(door: &D, ticket: &str, variant: &Variant) -> Result<String, Trouble> {
    permit(door, ticket, variant.headers()).await
}

async fn compose<D: Door>(door: &D, order: &str, variant: &Variant) -> Result<Option<String>, Trouble> {
    let body = json!({
        "subject": variant.subject, "customer": variant.customer, "message": variant.message, "order_id": order,
    });
    let answer = door.send(Request::post(Who::Page, "/api/tickets", body.to_string())).await?;
    let ticket = answer.json().get("ticket_id").and_then(Value::as_str).map(str::to_owned);
    Ok(ticket.filter(|_| answer.status == 201))
}

/// The bytes of the permit and of its explanation, without what names the ticket and counts events.
async fn permit<D: Door>(door: &D, ticket: &str, headers: Vec<(String, String)>) -> Result<String, Trouble> {
    let mut bytes = String::new();
    for path in ["/api/policy?ticket=", "/api/policy/explain?ticket="] {
        let mut request = Request::get(Who::Page, format!("{path}{ticket}"));
        request.headers.clone_from(&headers);
        let answer = door.send(request).await?;
        bytes.push_str(&answer.status.to_string());
        bytes.push_str(&without_seq(&answer.body.replace(ticket, "T")));
    }
    Ok(bytes)
}

fn without_seq(body: &str) -> String {
    match body.split_once("\"seq\":") {
        Some((before, after)) => {
            format!("{before}{}", after.trim_start_matches(|byte: char| byte.is_ascii_digit()))
        }
        None => body.to_owned(),
    }
}

/// Tries every text that the agent was ever told as a nonce: as the agent, as nobody, and as the page it lives in.
pub(crate) async fn replay<D: Door>(session: &Session<'_, D>) -> Result<(String, Compared, usize), Trouble> {
    let mut texts = BTreeSet::new();
    for told in &session.told {
        match serde_json::from_str(told) {
            Ok(json) => leaves(&json, &mut texts),
            Err(_) => {
                texts.insert(told.clone());
            }
        }
    }
    // Long ones first: a nonce is long, and a word is not one.
    let mut texts: Vec<_> = texts.into_iter().filter(|text| text.len() <= 512).collect();
    texts.sort_by_key(|text| std::cmp::Reverse(text.len()));
    texts.truncate(REPLAYED);
    let mut accepted = Vec::new();
    for text in &texts {
        for who in [Who::Agent(session.ticket().to_owned()), Who::Anonymous, Who::Page] {
            let body = json!({"nonce": text, "approved": true}).to_string();
            let answer = session.door.send(Request::post(who, "/api/refund/decide", body)).await?;
            if answer.status < 400 {
                accepted.push(answer.status.to_string());
            }
        }
    }
    let compared = Compared {
        expected: String::from("every one is refused"),
        got: match accepted.len() {
            0 => String::from("every one is refused"),
            some => format!("{some} accepted"),
        },
        ok: accepted.is_empty() && !texts.is_empty(),
    };
    Ok((String::from("sends all it was told as a nonce"), compared, texts.len()))
}

/// Every text in a JSON value, names included.
fn leaves(json: &Value, texts: &mut BTreeSet<String>) {
    match json {
        Value::String(text) => {
            texts.insert(text.clone());
        }
        Value::Array(list) => list.iter().for_each(|one| leaves(one, texts)),
        Value::Object(fields) => {
            for (name, value) in fields {
                texts.insert(name.clone());
                leaves(value, texts);
            }
        }
        other => {
            texts.insert(other.to_string());
        }
    }
}
