// Keeps a page current without loading it anew, so that an agent's open call in it lives on and nothing typed is lost.
// Every page works without this file: then forms load the next page.
//
// Parts marked data-live are taken from the same page as the server has it now. The answer is read as a document by
// the browser itself: no markup is made from strings, and no script in it runs.
(() => {
  "use strict";
  const REARM = 500;
  const part = (root, name) => root.querySelector(`[data-live="${CSS.escape(name)}"]`);
  const card = () => document.querySelector(".card");

  const load = (method, address, body) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      request.responseType = "document";
      request.timeout = 30000;
      request.onload = () => resolve(request.responseXML?.querySelector("[data-live]") ? request.responseXML : null);
      request.onerror = request.ontimeout = () => resolve(null);
      request.send(body);
    });

  // The page that shows what this one shows. On the console that is the card that is being read, also if it was opened
  // as the oldest one.
  const address = () => {
    const here = new URL(location.href);
    here.searchParams.delete("done");
    if (card()) here.searchParams.set("refund", card().dataset.refund);
    return here.pathname + here.search;
  };

  const typed = (element) =>
    [...element.querySelectorAll("textarea, input:not([type=hidden])")].some((field) => field.value !== field.defaultValue);

  const mark = (element) => element.id || element.getAttribute("href") || element.getAttribute("name") || element.textContent;

  const swap = (old, fresh) => {
    if (old.isEqualNode(fresh)) return false;
    if ("keep" in old.dataset && (typed(old) || (old.firstElementChild && fresh.firstElementChild))) return false;
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    if (focus?.matches("textarea, input, select") || typed(old)) return false;
    const opened = [...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
    const adopted = document.adoptNode(fresh);
    for (const one of adopted.querySelectorAll("details > summary"))
      if (opened.includes(one.textContent)) one.parentElement.open = true;
    old.replaceWith(adopted);
    if (focus) {
      const same = [...adopted.querySelectorAll("a, button, summary")].find((one) => mark(one) === mark(focus));
      (same ?? (adopted.tabIndex === -1 ? adopted : null))?.focus({ preventScroll: true });
    }
    return true;
  };

  // Takes over what changed. What decides a card being read re-arms its buttons.
  const take = (fresh) => {
    let decides = false;
    if (card() && !fresh.querySelector(".card")) return ended();
    for (const old of document.querySelectorAll("[data-live]")) {
      const name = old.dataset.live;
      const next = part(fresh, name);
      // A notice stays until the next one; a refresh has none.
      if (name === "strips" && !next?.querySelector(".done") && old.querySelector(".done")) continue;
      if (next && swap(old, next) && name.startsWith("card-") && name !== "card-words") decides = true;
    }
    if (decides) rearm();
    else if (!card() && fresh.querySelector(".card")) location.replace(address());
  };

  const rearm = () => {
    const buttons = document.querySelectorAll(".decide button");
    for (const button of buttons) button.disabled = true;
    setTimeout(() => buttons.forEach((button) => (button.disabled = false)), REARM);
  };

  const ended = () => {
    for (const button of document.querySelectorAll(".card button")) button.disabled = true;
    tell("This refund no longer waits: it was decided, ended by itself, or was taken back.");
  };

  const tell = (words) => {
    const line = document.createElement("p");
    line.className = "strip warn";
    line.textContent = words;
    part(document, "strips").replaceChildren(line);
  };

  let wanted = 0;
  let running = false;
  const refresh = async () => {
    wanted += 1;
    if (running) return;
    running = true;
    while (wanted) {
      wanted = 0;
      const before = document.querySelectorAll(".queue .row-amount").length;
      const fresh = await load("GET", address());
      if (fresh) take(fresh);
      const after = document.querySelectorAll(".queue .row-amount").length;
      if (after > before) announce(after);
    }
    running = false;
  };

  const announce = (count) => {
    let line = document.getElementById("news");
    if (!line) {
      line = document.createElement("p");
      line.id = "news";
      line.className = "unseen";
      line.setAttribute("role", "status");
      document.body.append(line);
    }
    line.textContent = count === 1 ? "A refund waits for you." : `${count} refunds wait for you.`;
  };

  // A form that stays: sent from here, and the page that comes back is taken over part by part.
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || !("stay" in form.dataset)) return;
    event.preventDefault();
    const button = event.submitter;
    if (button) button.disabled = true;
    const fresh = await load("POST", form.action, new URLSearchParams(new FormData(form, button)));
    if (button) button.disabled = false;
    if (!fresh) return tell("The desk did not answer. What you wrote is still here; try again.");
    const strips = part(fresh, "strips");
    const done = strips?.querySelector(".done") && !strips.querySelector(".warn:last-child");
    if (done) form.reset();
    if (done) form.closest("details")?.removeAttribute("open");
    if (strips) part(document, "strips").replaceWith(document.adoptNode(strips));
    take(fresh);
  });

  // Times told from now go on.
  const told = (time) => {
    const seconds = (Date.now() - Date.parse(time.dateTime)) / 1000;
    const span = Math.abs(seconds);
    if (Number.isNaN(span)) return time.textContent;
    const text =
      span < 45 ? "" : span < 3600 ? `${Math.min(59, Math.ceil(span / 60))} min` : span < 86400 ? `${Math.floor(span / 3600)} h`
      : span < 172800 ? "1 day" : `${Math.floor(span / 86400)} days`;
    if (!text) return seconds < 0 ? "in a moment" : "just now";
    return seconds < 0 ? `in ${text}` : `${text} ago`;
  };
  setInterval(() => {
    for (const time of document.querySelectorAll("time[datetime]")) {
      const text = told(time);
      if (time.textContent !== text) time.textContent = text;
    }
  }, 15000);

  // On the desk the widget hears what happens; on the console this page listens itself.
  document.addEventListener("quarantine:changed", refresh);
  if (document.querySelector(".console .queue")) {
    let lost = false;
    const events = new EventSource("/api/events");
    events.onmessage = (event) => {
      if (lost) part(document, "strips").replaceChildren();
      if (lost || !event.data.includes('"beat"')) refresh();
      lost = false;
    };
    events.onerror = () => {
      lost = true;
      tell("The desk can’t be reached. What you see may be old; nothing is decided until it is back.");
    };
  }
})();
