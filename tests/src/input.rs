//! Mouse and keyboard as the browser gets them from a person: trusted events.

use serde_json::json;

use crate::page::Page;

impl Page {
    /// Moves the mouse there, presses and releases.
    pub async fn click_at(&self, x: f64, y: f64) {
        for (kind, buttons) in [("mouseMoved", 0), ("mousePressed", 1), ("mouseReleased", 0)] {
            let button = if kind == "mouseMoved" { "none" } else { "left" };
            let event = json!({
                "type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1,
            });
            self.session().must("Input.dispatchMouseEvent", event).await;
        }
    }

    /// Types text where the keyboard is.
    pub async fn type_text(&self, text: &str) {
        self.session().must("Input.insertText", json!({"text": text})).await;
    }

    /// Presses one key: `Enter`, `Tab`, `Escape`, `ArrowDown`, `Space` or a letter.
    pub async fn press(&self, key: &str) {
        self.press_with(key, false).await;
    }

    /// As [`Page::press`], with Shift held or not.
    pub async fn press_with(&self, key: &str, shift: bool) {
        let (key, code, number, text) = named(key);
        let modifiers = if shift { 8 } else { 0 };
        let event = |kind: &str| {
            json!({
                "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number,
                "modifiers": modifiers,
            })
        };
        let mut down = event("keyDown");
        if !text.is_empty() {
            down["text"] = json!(text);
        }
        self.session().must("Input.dispatchKeyEvent", down).await;
        self.session().must("Input.dispatchKeyEvent", event("keyUp")).await;
    }
}

fn named(key: &str) -> (String, String, u32, String) {
    let own = |key: &str, code: &str, number, text: &str| (key.into(), code.into(), number, text.into());
    match key {
        "Enter" => own("Enter", "Enter", 13, "\r"),
        "Tab" => own("Tab", "Tab", 9, ""),
        "Escape" => own("Escape", "Escape", 27, ""),
        "Space" => own(" ", "Space", 32, " "),
        "ArrowDown" => own("ArrowDown", "ArrowDown", 40, ""),
        "ArrowUp" => own("ArrowUp", "ArrowUp", 38, ""),
        letter => {
            let upper = letter.to_uppercase();
            let number = upper.chars().next().map_or(0, u32::from);
            (letter.to_owned(), format!("Key{upper}"), number, letter.to_owned())
        }
    }
}
