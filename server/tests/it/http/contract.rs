//! The contract of the original, byte for byte.

use super::client::Desk;

const STAGE: &str = r#"{"ticket_id":"T-102","amount":2400}"#;
const DECIDE: &str = r#"{"nonce":"i-guessed-this","approved":true}"#;
const OUTSIDE: &str =
    r#"{"error":"OUTSIDE_WINDOW","reason":"Order is 91 days old; the refund window is 30 days."}"#;
const BAD_NONCE: &str = r#"{"error":"BAD_NONCE","reason":"Approval must come from the in-page form."}"#;

async fn both_lines_answer(desk: &Desk) {
    let anonymous = desk.anonymous();
    let staged = anonymous.post("/api/refund/stage", STAGE).await;
    assert_eq!((staged.status.as_u16(), staged.text()), (409, OUTSIDE));
    let decided = anonymous.post("/api/refund/decide", DECIDE).await;
    assert_eq!((decided.status.as_u16(), decided.text()), (403, BAD_NONCE));
}

#[tokio::test]
async fn both_lines_answer_on_a_fresh_desk() {
    both_lines_answer(&Desk::start().await).await;
}

#[tokio::test]
async fn both_lines_answer_the_same_a_week_later() {
    let desk = Desk::start().await;
    desk.pass(7 * 86_400);
    both_lines_answer(&desk).await;
}

#[tokio::test]
async fn a_page_and_an_agent_get_the_same_answer() {
    let desk = Desk::start().await;
    let page = desk.page().await;
    let agent = page.agent("T-102").await;
    assert_eq!(agent.post("/api/refund/stage", STAGE).await.text(), OUTSIDE);
    assert_eq!(page.post("/api/refund/decide", DECIDE).await.text(), BAD_NONCE);
}
