//! The API's description, and the headers on everything.

use super::client::Desk;

#[test]
fn the_description_is_what_was_reviewed() {
    let mut document = server::http::openapi::document();
    document.info.version = "[version]".to_owned();
    insta::assert_json_snapshot!("openapi", document);
}

#[tokio::test]
async fn every_answer_has_the_headers_that_keep_it_in_its_place() {
    let desk = Desk::start().await;
    for path in
        ["/", "/t/T-101", "/api/tickets", "/api/none", "/quarantine.js", "/openapi.json", "/proof.html"]
    {
        let answer = desk.anonymous().get(path).await;
        let header = |name: &str| answer.headers.get(name).map(|value| value.to_str().unwrap().to_owned());
        assert_eq!(header("x-content-type-options").as_deref(), Some("nosniff"), "{path}");
        assert_eq!(header("x-frame-options").as_deref(), Some("DENY"), "{path}");
        let policy = header("content-security-policy").unwrap();
        assert!(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"), "{path}");
        assert!(!policy.contains("unsafe-inline") && !policy.contains("'unsafe-eval'"), "{path}");
        assert!(header("cache-control").is_some(), "{path}");
    }
}

#[tokio::test]
async fn health_and_numbers_answer() {
    let desk = Desk::start().await;
    let anonymous = desk.anonymous();
    assert_eq!(anonymous.get("/healthz").await.text(), r#"{"ok":true}"#);
    assert_eq!(anonymous.get("/readyz").await.text(), r#"{"ok":true}"#);
    let numbers = anonymous.get("/metrics").await;
    assert!(numbers.text().contains("quarantine_requests_total"), "{}", numbers.text());
    assert!(numbers.text().contains("/healthz"));
}
