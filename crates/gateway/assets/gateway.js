// Keys for whoever reviews much, and a word when something has changed. The page works without it.
"use strict";
(() => {
  const items = [...document.querySelectorAll("article.item")];
  const current = () => items.findIndex((item) => item.contains(document.activeElement));
  const go = (index) => {
    const item = items[Math.max(0, Math.min(items.length - 1, index))];
    if (item) { item.focus(); item.scrollIntoView({ block: "nearest" }); }
  };
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input[type=password], select, textarea");
    if (typing || event.ctrlKey || event.metaKey || event.altKey || items.length === 0) return;
    const item = items[current()];
    if (event.key === "j") go(current() + 1);
    else if (event.key === "k") go(current() < 0 ? 0 : current() - 1);
    else if (event.key === "x" && item) { const box = item.querySelector(".pick input"); box.checked = !box.checked; }
    // A key only goes to the button: it is pressed with Enter, so that no slip decides.
    else if (event.key === "a") document.querySelector("button[value=approve]").focus();
    else if (event.key === "b") document.querySelector("button[value=block]").focus();
    else return;
    event.preventDefault();
  });
  const stale = document.querySelector(".stale");
  if (stale) {
    const events = new EventSource("/api/events?after=" + stale.dataset.seq);
    events.onmessage = () => { stale.hidden = false; events.close(); };
    addEventListener("pagehide", () => events.close());
  }
})();
