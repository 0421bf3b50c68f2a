//! What an agent can't do: learn a nonce, use one, press the button. And what `in_page` does not stop.

use serde_json::{Value, json};
use tests::chromium::{Chromium, Profile, WebMcp};
use tests::deadline::until;
use tests::desk::Desk;
use tests::openapi::{body, routes};
use tests::page::Page;

/// A tab at T-101 with a refund that is held.
async fn held(desk: &Desk, profile: &Profile) -> (Page, Value) {
    let page = profile.tab().await;
    page.goto(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    agent.start("issue_refund", json!({"ticket_id": "T-101", "amount": 89})).await;
    page.find("button", "Approve").await;
    let card = page.eval("fetch('/api/approvals').then(r => r.json()).then(all => all.approvals[0])").await;
    assert_eq!(card["state"], json!("held"), "{card}");
    (page, card)
}

async fn state(page: &Page) -> Value {
    page.eval("fetch('/api/tickets/T-101').then(r => r.json()).then(ticket => ticket.refunds[0].state)").await
}

#[tokio::test]
async fn a_nonce_is_in_nothing_that_the_agents_side_receives() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.tab().await;
    let (traffic, agent) = (page.traffic(), page.agent().await);
    page.goto(&desk.url("/t/T-101")).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    let call = agent.invoke("issue_refund", json!({"ticket_id": "T-101", "amount": 89})).await;
    page.find("button", "Approve").await.click().await;
    let mut told = call.answer().await.output.to_string();
    for (tool, input) in [
        ("list_tickets", json!({})),
        ("get_ticket", json!({"ticket_id": "T-101"})),
        ("explain_policy", json!({"ticket_id": "T-101"})),
    ] {
        told.push_str(&agent.call(tool, input).await.to_string());
    }
    for path in ["/", "/t/T-101", "/record", "/policy", "/docs", "/api/events?after=0"] {
        let script = format!(
            "(async () => {{ const answer = await fetch('{path}'); const reader = answer.body.getReader(); \
             const first = await reader.read(); await reader.cancel(); \
             return new TextDecoder().decode(first.value); }})()"
        );
        told.push_str(page.eval(&script).await.as_str().unwrap_or_default());
    }
    told.push_str(page.eval("document.documentElement.outerHTML").await.as_str().unwrap_or_default());
    told.push_str(&desk.logged());

    // The press's own request is the one place that has it.
    let nonce = until("the nonce of the press", || async {
        let all = traffic.all();
        let opened = all
            .iter()
            .find(|part| part.received && part.url.ends_with("/open") && part.text.contains("nonce"));
        let nonce: Value = serde_json::from_str(&opened?.text).ok()?;
        Some(nonce["nonce"].as_str()?.to_owned())
    })
    .await;
    assert!(nonce.len() >= 22, "{nonce:?} can be guessed");
    assert!(!told.contains(&nonce));
    for part in traffic.all() {
        let own = part.url.ends_with("/open") || (part.url.ends_with("/api/refund/decide") && !part.received);
        assert!(own || !part.text.contains(&nonce), "{} {} has the nonce", part.url, part.received);
        assert!(!part.url.contains(&nonce));
    }
    // Stored only as a hash.
    for entry in std::fs::read_dir(desk.data()).expect("the data folder").flatten() {
        let bytes = std::fs::read(entry.path()).unwrap_or_default();
        assert!(!bytes.windows(nonce.len()).any(|part| part == nonce.as_bytes()), "{:?}", entry.path());
    }
}

#[tokio::test]
async fn an_agents_token_on_every_route_decides_nothing() {
    let desk = Desk::demo();
    let person = desk.client().person("/").await;
    let held = person.held("T-101", "89.00").await;
    let nonce = person.nonce(&held).await;
    let digest = held.card["digest"].as_str().unwrap_or_default();
    let agent = person.agent_of("T-101").await;
    // Cookies that come with a token change nothing: the browser sends them by itself.
    let in_page = person.without("origin").with("authorization", agent.sent("authorization"));
    let forbidden = [
        "POST /api/agents",
        "POST /api/approvals/{id}/amount",
        "POST /api/approvals/{id}/open",
        "GET /api/approvals",
        "POST /api/refund/decide",
        "POST /api/reset",
        "POST /api/resume",
        "POST /api/stop",
        "POST /api/tickets",
        "POST /api/tickets/{id}/reopen",
        "POST /api/tickets/{id}/resolve",
        "GET /api/record",
    ];
    let mut met = 0;
    for route in routes(&desk.client()).await {
        let name = format!("{} {}", route.method, route.path);
        // These would end the refund by the agent's own right; they come last.
        if name.ends_with("/withdraw") || name.ends_with("/escalate") || name.ends_with("/events") {
            continue;
        }
        let address = route.filled(|_| {
            let about_ticket = route.path.starts_with("/api/tickets");
            if about_ticket { "T-101".to_owned() } else { held.refund.clone() }
        });
        let sent = body(&route.path, "T-101", digest, &nonce).to_string();
        let sent = (route.method == "POST").then_some(sent.as_bytes());
        for caller in [&agent, &in_page] {
            let answer = caller.send(&route.method, &address, sent).await;
            assert!(answer.status < 500, "{name}: {}", answer.text());
            assert!(!answer.text().contains(&nonce), "{name}");
            if forbidden.contains(&name.as_str()) {
                met += 1;
                let code = answer.json()["error"].clone();
                assert!(
                    answer.status == 403 && (code == "FORBIDDEN" || code == "BAD_NONCE"),
                    "{name}: {} {}",
                    answer.status,
                    answer.text()
                );
            }
        }
    }
    assert_eq!(met, forbidden.len() * 2, "a route that agents must not use is not in the document");
    assert_eq!(person.refund_state("T-101", &held.refund).await, "held");
    // Not in vain: the person's own press, with the same nonce or a fresh one, pays.
    person.approve(&held).await.ok(200);
    assert_eq!(person.refund_state("T-101", &held.refund).await, "paid");
}

#[tokio::test]
async fn clicks_and_submits_made_by_script_do_not_approve() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let page = profile.tab().await;
    // More than a tool or an event can do: a script that was there before the panel and kept its shadow root.
    page.before_scripts(
        "const attach = Element.prototype.attachShadow; window.roots = [];
         Element.prototype.attachShadow = function (init) {
           const root = attach.call(this, init); roots.push(root); return root; };",
    )
    .await;
    let traffic = page.traffic();
    page.goto(&desk.url("/t/T-101")).await;
    let agent = page.holder(WebMcp::On).await;
    agent.holds_one("triage_ticket", true).await;
    agent.call("triage_ticket", json!({"ticket_id": "T-101", "category": "refund_request"})).await;
    agent.holds_one("issue_refund", true).await;
    let call = agent.start("issue_refund", json!({"ticket_id": "T-101", "amount": 89})).await;
    page.find("button", "Approve").await;
    let pressed = page
        .eval(
            "(() => {
               let pressed = 0;
               for (const root of [document, ...roots]) {
                 for (const button of root.querySelectorAll('button')) {
                   if (button.textContent.trim() !== 'Approve' && button.textContent.trim() !== 'Reject') continue;
                   pressed += 1;
                   button.focus();
                   button.click();
                   for (const kind of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'])
                     button.dispatchEvent(new PointerEvent(kind, {bubbles: true, composed: true, button: 0}));
                   for (const kind of ['keydown', 'keypress', 'keyup'])
                     button.dispatchEvent(new KeyboardEvent(kind, {key: 'Enter', bubbles: true, composed: true}));
                   const form = button.closest('form');
                   if (form) {
                     form.dispatchEvent(new SubmitEvent('submit', {bubbles: true, cancelable: true, submitter: button}));
                     try { form.requestSubmit(button); } catch {}
                     form.addEventListener('submit', event => event.preventDefault());
                     try { form.requestSubmit(); } catch {}
                   }
                 }
               }
               return pressed;
             })()",
        )
        .await;
    assert!(pressed.as_u64() >= Some(2), "the script found {pressed} buttons to press");
    assert_eq!(state(&page).await, json!("held"));
    assert_eq!(call.now().await, None);
    let asked = |traffic: &tests::traffic::Traffic| {
        traffic.all().iter().any(|part| part.url.ends_with("/open") || part.url.ends_with("/decide"))
    };
    assert!(!asked(&traffic), "a press made by script asked for a nonce");
    page.find("button", "Approve").await.click().await;
    assert_eq!(call.output().await["outcome"], json!("refunded"));
    assert!(asked(&traffic));
}

#[tokio::test]
async fn in_page_does_not_stop_script_that_speaks_http_and_the_panel_says_so() {
    let Some(chromium) = Chromium::shared(WebMcp::On).await else { return };
    let (desk, profile) = (Desk::demo(), chromium.profile().await);
    let (page, card) = held(&desk, &profile).await;
    let script = format!(
        "(async () => {{
           const post = (url, body) => fetch(url, {{method: 'POST', body: JSON.stringify(body),
             headers: {{'content-type': 'application/json'}}}}).then(answer => answer.json());
           const digest = {};
           const {{nonce}} = await post('/api/approvals/' + {} + '/open', {{digest}});
           return post('/api/refund/decide', {{nonce, digest, approved: true}});
         }})()",
        card["digest"], card["refund_id"]
    );
    assert_eq!(page.eval(&script).await["state"], json!("paid"));
    let says = page.text().await.to_lowercase();
    assert!(says.contains("script"), "the panel names what this strength does not stop:\n{says}");
}

#[tokio::test]
async fn the_answers_carry_the_usual_headers() {
    let desk = Desk::demo();
    for path in ["/", "/t/T-101", "/policy", "/record", "/docs", "/proof.html"] {
        let page = desk.client().get(path).await;
        assert_eq!(page.status, 200, "{path}");
        let policy = page.header("content-security-policy");
        for part in ["default-src 'none'", "frame-ancestors 'none'", "base-uri 'none'", "trusted-types"] {
            assert!(policy.contains(part), "{path}: {part} is not in {policy:?}");
        }
        for word in ["'unsafe-inline'", "'unsafe-eval'", " *", " http:", " https:", " data:"] {
            assert!(!policy.contains(word), "{path}: {word} is in {policy:?}");
        }
        assert_eq!(page.header("x-content-type-options"), "nosniff", "{path}");
        // Nothing of an address leaves this origin.
        assert!(["no-referrer", "same-origin"].contains(&page.header("referrer-policy")), "{path}: {page:?}");
        for cookie in page.all("set-cookie") {
            assert!(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"), "{path}: {cookie}");
        }
    }
}
