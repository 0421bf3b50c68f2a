//! Bad input gets a clear answer, and loses nothing.

use serde_json::{Value, json};
use tests::desk::{Desk, Settings};
use tests::http::{Answer, Client};

/// What a desk never answers to bad input: a failure of its own, or the input again.
fn clear(answer: &Answer, sent: &str) {
    assert!((400..500).contains(&answer.status), "{}: {}", answer.status, answer.text());
    let body = answer.json();
    let (code, reason) =
        (body["error"].as_str().unwrap_or_default(), body["reason"].as_str().unwrap_or_default());
    assert!(
        !code.is_empty() && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_'),
        "{}",
        answer.text()
    );
    assert!(reason.ends_with('.'), "{}", answer.text());
    assert!(sent.is_empty() || !answer.text().contains(sent), "it says what was sent: {}", answer.text());
}

async fn triaged(desk: &Desk) -> (Client, Client) {
    let person = desk.client().person("/").await;
    person.triage("T-101").await;
    let agent = person.agent_of("T-101").await;
    (person, agent)
}

async fn nothing_is_held(person: &Client) {
    assert_eq!(person.get("/api/approvals").await.ok(200)["approvals"], json!([]));
}

#[tokio::test]
async fn bodies_that_are_not_what_a_route_takes() {
    let desk = Desk::demo();
    let (person, agent) = triaged(&desk).await;
    let deep = format!("{}1{}", "[".repeat(100_000), "]".repeat(100_000));
    let bodies: [&[u8]; 12] = [
        b"",
        b"not json, zebra",
        b"{\"ticket_id\":\"T-101\",\"amount\":",
        b"null",
        b"[]",
        b"\"zebra\"",
        br#"{"ticket_id":101,"amount":1}"#,
        br#"{"ticket_id":"T-101","amount":1,"zebra":true}"#,
        br#"{"ticket_id":"T-101","amount":1,"amount":2}"#,
        br#"{"amount":1}"#,
        b"{\"ticket_id\":\"T-101\",\"amount\":1,\"justification\":\"\xff\xfe\"}",
        deep.as_bytes(),
    ];
    for body in bodies {
        for path in ["/api/refund/stage", "/api/tickets/T-101/reply", "/api/refund/decide"] {
            let answer = agent.post_bytes(path, body).await;
            clear(&answer, "zebra");
        }
    }
    let answer = agent.with("content-type", "text/plain").post_bytes("/api/refund/stage", b"{}").await;
    clear(&answer, "");
    nothing_is_held(&person).await;
}

#[tokio::test]
async fn bodies_of_two_megabytes_are_refused_and_the_desk_goes_on() {
    let desk = Desk::demo();
    let (person, agent) = triaged(&desk).await;
    let long = json!({"message": "a".repeat(2_000_000)}).to_string();
    for path in ["/api/tickets/T-101/reply", "/api/refund/stage"] {
        clear(&agent.post_bytes(path, long.as_bytes()).await, "aaaa");
    }
    clear(&person.post_bytes("/api/tickets", long.as_bytes()).await, "aaaa");
    desk.client().get("/healthz").await.ok(200);
}

#[tokio::test]
async fn amounts_that_are_none() {
    let desk = Desk::demo();
    let (person, agent) = triaged(&desk).await;
    // Written as they are sent: a number is read as it was written.
    let amounts = [
        "0",
        "0.00",
        "-1",
        "0.001",
        "1e3",
        "1E3",
        "89.999",
        "\"89,00\"",
        "\"\"",
        "\" 89\"",
        "\"+89\"",
        "\"89.\"",
        "\"$89\"",
        "\"89 EUR\"",
        "\"٨٩\"",
        "true",
        "null",
        "[89]",
        "{}",
        "99999999999999999999999999",
        "\"0x10\"",
    ];
    for amount in amounts {
        let body = format!(r#"{{"ticket_id":"T-101","amount":{amount}}}"#);
        let answer = agent.post_bytes("/api/refund/stage", body.as_bytes()).await;
        clear(&answer, "");
        assert_eq!(answer.json()["error"], json!("AMOUNT_INVALID"), "{amount}: {}", answer.text());
    }
    for amount in ["89.01", "1000000"] {
        let body = format!(r#"{{"ticket_id":"T-101","amount":{amount}}}"#);
        agent.post_bytes("/api/refund/stage", body.as_bytes()).await.refused(409, "AMOUNT_INVALID");
    }
    nothing_is_held(&person).await;
    for amount in ["89", "89.00", "\"89.00\""] {
        let body = format!(r#"{{"ticket_id":"T-101","amount":{amount}}}"#);
        let staged = agent.post_bytes("/api/refund/stage", body.as_bytes()).await.json();
        assert_eq!(
            (&staged["asked"], &staged["state"]),
            (&json!("89.00"), &json!("held")),
            "{amount}: {staged}"
        );
    }
}

#[tokio::test]
async fn tickets_that_are_not_there_not_ones_own_or_closed() {
    let desk = Desk::demo();
    let (person, agent) = triaged(&desk).await;
    let stage = |ticket: &str| json!({"ticket_id": ticket, "amount": 1});
    for unknown in ["T-999", "", "../T-101", "T-101 ", "t-101", "T-101\u{0}"] {
        let answer = desk.client().post("/api/refund/stage", &stage(unknown)).await;
        clear(&answer, "T-999");
    }
    desk.client().get("/api/tickets/T-999").await.refused(404, "NOT_FOUND");
    desk.client().get("/api/nothing/here").await.refused(404, "NOT_FOUND");
    clear(&desk.client().send("DELETE", "/api/tickets/T-101", None).await, "");

    let elsewhere = agent.post("/api/refund/stage", &stage("T-103")).await;
    elsewhere.refused(403, "NOT_SUBJECT");
    assert_eq!(elsewhere.json()["address"], json!("/t/T-103"));
    agent.get("/api/tickets/T-103").await.refused(403, "NOT_SUBJECT");
    agent.get("/api/policy?ticket=T-103").await.refused(403, "NOT_SUBJECT");

    // A refund of another visitor's sandbox is not there at all.
    let other = desk.client().person("/").await;
    let theirs = other.held("T-101", "10.00").await;
    agent.get(&format!("/api/refund/{}", theirs.refund)).await.refused(404, "NOT_FOUND");
    agent
        .post(&format!("/api/refund/{}/withdraw", theirs.refund), &json!({}))
        .await
        .refused(404, "NOT_FOUND");
    person.open(&theirs.refund, &theirs.card["digest"]).await.refused(404, "NOT_FOUND");
    assert_eq!(other.refund_state("T-101", &theirs.refund).await, "held");

    person.post("/api/tickets/T-101/resolve", &json!({})).await.ok(200);
    agent.post("/api/refund/stage", &stage("T-101")).await.refused(409, "TICKET_CLOSED");
}

#[tokio::test]
async fn a_nonce_is_for_one_press_of_one_person_on_one_card() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let (held, other) = (person.held("T-101", "20.00").await, person.held("T-103", "30.00").await);
    let digest = &held.card["digest"];

    for guess in ["", "i-guessed-this", &"0".repeat(64), digest.as_str().unwrap_or_default()] {
        person.decide(guess, true, digest).await.refused(403, "BAD_NONCE");
    }
    // From another browser.
    let nonce = person.nonce(&held).await;
    desk.client().person("/").await.decide(&nonce, true, digest).await.refused(403, "BAD_NONCE");
    desk.client().decide(&nonce, true, digest).await.refused(403, "BAD_NONCE");
    // On another card: what is sent must be what the nonce was opened for.
    let wrong = person.decide(&nonce, true, &other.card["digest"]).await;
    assert_eq!((wrong.status, &wrong.json()["error"]), (409, &json!("TERMS_CHANGED")), "{}", wrong.text());
    // On a card that says another amount by now.
    let lowered = person
        .post(&format!("/api/approvals/{}/amount", held.refund), &json!({"amount": "15.00"}))
        .await
        .ok(200);
    assert_ne!(&lowered["digest"], digest);
    person.open(&held.refund, digest).await.refused(409, "TERMS_CHANGED");
    assert_eq!(person.refund_state("T-101", &held.refund).await, "held");

    let nonce = person.open(&held.refund, &lowered["digest"]).await.ok(200)["nonce"].clone();
    let nonce = nonce.as_str().unwrap_or_default();
    let decided = person.decide(nonce, true, &lowered["digest"]).await.ok(200);
    assert_eq!(decided["state"], json!("paid"));
    let again = person.decide(nonce, true, &lowered["digest"]).await;
    assert!([403, 409].contains(&again.status), "{}", again.text());
    let ticket = person.get("/api/tickets/T-101").await.ok(200);
    assert_eq!(ticket["order"]["refunded"], json!("15.00"));
}

#[tokio::test]
async fn a_cent_less_after_a_rejection_is_not_a_way() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let held = person.held("T-101", "89.00").await;
    let nonce = person.nonce(&held).await;
    person.decide(&nonce, false, &held.card["digest"]).await.ok(200);
    let agent = person.agent_of("T-101").await;
    let less = agent.post("/api/refund/stage", &json!({"ticket_id": "T-101", "amount": "88.99"})).await;
    less.refused(409, "REJECTED");
    // The same once more is told what happened, and stages nothing.
    let same = agent.post("/api/refund/stage", &json!({"ticket_id": "T-101", "amount": "89.00"})).await;
    let outcome = &same.json()["outcome"];
    let told = outcome["outcome"] == "rejected" && outcome["repeated"] == true;
    assert!(told || same.json()["error"] == "REJECTED", "{}", same.text());
    nothing_is_held(&person).await;
}

#[tokio::test]
async fn fifty_presses_at_the_same_instant_pay_once() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let held = person.held("T-101", "89.00").await;
    let mut nonces = Vec::new();
    for _ in 0..50 {
        let opened = person.open(&held.refund, &held.card["digest"]).await;
        if opened.status == 200 {
            nonces.push(opened.json()["nonce"].as_str().unwrap_or_default().to_owned());
        }
    }
    assert!(!nonces.is_empty());
    let presses = (0..50).map(|press| {
        let (person, digest) = (person.clone(), held.card["digest"].clone());
        let nonce = nonces[press % nonces.len()].clone();
        tokio::spawn(async move { person.decide(&nonce, true, &digest).await })
    });
    let mut paid = 0;
    for press in presses.collect::<Vec<_>>() {
        let answer = press.await.expect("the press is answered");
        assert!(answer.status < 500, "{}", answer.text());
        paid += usize::from(answer.status == 200 && answer.json()["state"] == "paid");
    }
    assert_eq!(paid, 1);
    let ticket = person.get("/api/tickets/T-101").await.ok(200);
    assert_eq!(
        (&ticket["order"]["refunded"], ticket["refunds"].as_array().map(Vec::len)),
        (&json!("89.00"), Some(1))
    );
}

#[tokio::test]
async fn two_tickets_of_one_order_never_take_more_than_was_paid() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let held = person.held("T-103", "149.50").await;
    person.triage("T-107").await;
    let second = person.agent_of("T-107").await;
    let stage = json!({"ticket_id": "T-107", "amount": "149.50"});
    second.post("/api/refund/stage", &stage).await.refused(409, "RESERVED_ELSEWHERE");
    person.approve(&held).await.ok(200);
    second.post("/api/refund/stage", &stage).await.refused(409, "ALREADY_REFUNDED");
}

#[tokio::test]
async fn text_of_every_kind_is_kept_as_text() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let hostile = "<img src=x onerror=alert(1)>\u{202e}gpj.exe \u{e0041}\u{e0042} {{7*7}} ${x} '; drop table ticket; --";
    let composed = json!({"subject": hostile, "customer": "<b>Eve</b>", "message": hostile.repeat(20)});
    let made = person.post("/api/tickets", &composed).await.ok(201);
    let ticket = made["ticket_id"].as_str().unwrap_or_default();
    let read = person.get(&format!("/api/tickets/{ticket}")).await.ok(200);
    assert_eq!(read["untrusted"]["subject"], json!(hostile));
    assert_eq!(read["untrusted"]["messages"][0]["text"], json!(hostile.repeat(20)));
    // What a stranger wrote is nowhere else.
    let mut trusted = read.clone();
    trusted["untrusted"] = Value::Null;
    assert!(!trusted.to_string().contains("onerror"));
    let page = person.get(&format!("/t/{ticket}")).await;
    assert_eq!(page.status, 200);
    assert!(!page.text().contains("<img src=x"), "markup of a stranger became markup of ours");

    for text in ["\u{0}", "a\u{0}b"] {
        let composed = json!({"subject": text, "customer": "c", "message": "m"});
        let answer = person.post("/api/tickets", &composed).await;
        assert!(answer.status == 201 || (400..500).contains(&answer.status), "{}", answer.text());
    }
    let megabyte = json!({"subject": "s", "customer": "c", "message": "m".repeat(1_000_000)});
    clear(&person.post("/api/tickets", &megabyte).await, "mmmm");
    // Nothing of it is in the log.
    assert!(!desk.logged().contains("onerror") && !desk.logged().contains("Eve"));
}

#[tokio::test]
async fn a_page_of_another_origin_changes_nothing() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    for origin in ["https://evil.example", "null", &format!("http://localhost:{}", desk.port() + 1)] {
        let foreign = person.with("origin", origin);
        foreign
            .post("/api/tickets/T-101/triage", &json!({"category": "other"}))
            .await
            .refused(403, "CROSS_ORIGIN");
        foreign.post("/api/reset", &json!({})).await.refused(403, "CROSS_ORIGIN");
    }
    let silent = person.without("origin").with("sec-fetch-site", "cross-site");
    silent.post("/api/reset", &json!({})).await.refused(403, "CROSS_ORIGIN");
    let other_host = desk.client().at("evil.example").get("/api/tickets").await;
    clear(&other_host, "evil.example");
}

#[tokio::test]
async fn a_full_or_read_only_disk_is_said_and_leaves_nothing_half_written() {
    let Some(disk) = tests::desk::disk::Disk::small() else { return };
    let mut desk = Settings::demo().data(disk.path()).start();
    let person = desk.client().person("/").await;
    person.triage("T-101").await;
    disk.fill();
    let message = json!({"message": "x".repeat(4000)});
    let mut refused = None;
    for _ in 0..2_000 {
        let answer = person.post("/api/tickets/T-101/reply", &message).await;
        if answer.status != 200 {
            refused = Some(answer);
            break;
        }
    }
    let refused = refused.expect("a full disk refuses in the end");
    assert!(refused.status >= 500, "{}", refused.text());
    assert!(
        refused.json()["reason"].as_str().is_some_and(|reason| reason.ends_with('.')),
        "{}",
        refused.text()
    );
    let before = person.get("/api/tickets/T-101").await.ok(200);
    disk.free();
    person.post("/api/tickets/T-101/reply", &json!({"message": "There is room again."})).await.ok(200);
    let after = person.get("/api/tickets/T-101").await.ok(200);
    let count = |ticket: &Value| ticket["untrusted"]["messages"].as_array().map_or(0, Vec::len);
    assert_eq!(count(&after), count(&before) + 1);

    desk.kill();
    disk.read_only();
    if desk.try_start().is_ok() {
        let answer = person.post("/api/tickets/T-101/reply", &json!({"message": "m"})).await;
        assert!(answer.status >= 500 && answer.json()["error"].is_string(), "{}", answer.text());
    } else {
        assert!(desk.logged().lines().count() > 0, "a desk that does not start says why");
    }
}
