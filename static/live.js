// Keeps a page current without loading it anew, so that an agent's open call in it lives on and nothing typed is lost.
// Every page works without this file: then forms load the next page.
//
// Parts marked data-live are taken from the same page as the server has it now. The answer is read as a document by
// the browser itself: no markup is made from strings, and no script in it runs.
(() => {
  "use strict";
  const onConsole = document.querySelector(".console .queue") !== null;
  const REARM = 500;
  const READ = 10000;
  const part = (root, name) => root.querySelector(`[data-live="${CSS.escape(name)}"]`);
  const card = (page = document) => page.querySelector(".card");
  const read = (page) => card(page)?.dataset.refund;

  const load = (method, address, body) =>
    new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open(method, address);
      request.responseType = "document";
      request.timeout = 30000;
      request.onload = () => {
        const page = request.responseXML;
        const ours = page?.querySelector("[data-live]");
        resolve(ours ? { page, address: request.responseURL, ok: request.status < 400 } : null);
      };
      request.onerror = request.ontimeout = () => resolve(null);
      request.send(body);
    });

  // The page that shows what this one shows. On the console that is the card that is being read, also if it was opened
  // as the oldest one.
  const address = () => {
    const here = new URL(location.href);
    here.searchParams.delete("done");
    if (card()) here.searchParams.set("refund", read());
    return here.pathname + here.search;
  };

  const typed = (element) =>
    [...element.querySelectorAll("textarea, input:not([type=hidden])")].some((field) => field.value !== field.defaultValue);

  const mark = (element) => element.id || element.getAttribute("href") || element.getAttribute("name") || element.textContent;

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
  const tellTimes = (root) => {
    for (const time of root.querySelectorAll("time[datetime]")) {
      const text = told(time);
      if (time.textContent !== text) time.textContent = text;
    }
  };

  // True if a part was left as it is because somebody is typing in it.
  let behind = false;
  const swap = (old, fresh) => {
    if (old.isEqualNode(fresh)) return false;
    // An agent filled it and waits until a person sends it; another form in its place would end the call.
    if ([...old.querySelectorAll("form")].some((form) => form.pending)) return false;
    if ("keep" in old.dataset && (typed(old) || (old.firstElementChild && fresh.firstElementChild))) return false;
    const focus = old.contains(document.activeElement) ? document.activeElement : null;
    if (focus?.matches("textarea, input, select") || typed(old)) {
      behind = true;
      return false;
    }
    const opened = [...old.querySelectorAll("details[open] > summary")].map((one) => one.textContent);
    const adopted = document.adoptNode(fresh);
    for (const one of adopted.querySelectorAll("details > summary"))
      if (opened.includes(one.textContent)) one.parentElement.open = true;
    old.replaceWith(adopted);
    if (focus) {
      const same = [...adopted.querySelectorAll("a, button, summary")].find((one) => mark(one) === mark(focus));
      const next = adopted.tabIndex === -1 ? adopted : adopted.querySelector("a, button, summary");
      (same ?? next)?.focus({ preventScroll: true });
    }
    return true;
  };

  // Takes over what changed. What decides a card being read re-arms its buttons.
  const take = (fresh) => {
    let decides = false;
    tellTimes(document);
    tellTimes(fresh);
    const over = card() && read(fresh) !== read();
    for (const old of document.querySelectorAll("[data-live]")) {
      const name = old.dataset.live;
      const next = part(fresh, name);
      // A card that is over stays as it was read, and is never replaced by another.
      if (over && (name.startsWith("card-") || name === "strips")) continue;
      // What was done stays to be read; a refresh does not have it any more.
      if (name === "strips" && old.querySelector(".done") && Date.now() - toldAt < READ) continue;
      if (next && swap(old, next) && name.startsWith("card-") && name !== "card-words") decides = true;
    }
    if (over) end();
    else if (decides) rearm();
    else if (!card() && card(fresh)) location.replace(address());
  };

  const rearm = () => {
    const buttons = document.querySelectorAll(".decide button");
    for (const button of buttons) button.disabled = true;
    setTimeout(() => ended || buttons.forEach((button) => (button.disabled = false)), REARM);
  };

  let ended = false;
  const end = () => {
    ended = true;
    for (const button of document.querySelectorAll(".card button")) button.disabled = true;
    tell("This refund no longer waits: it was decided, ended by itself, or was taken back.");
  };

  const tell = (words) => {
    const line = document.createElement("p");
    line.className = "strip warn";
    line.textContent = words;
    part(document, "strips").replaceChildren(line);
  };

  // What a form came to is told once: loading the page again does not tell it again.
  let toldAt = Date.now();
  if (new URLSearchParams(location.search).has("done")) {
    const here = new URL(location.href);
    here.searchParams.delete("done");
    history.replaceState(history.state, "", here.pathname + here.search + here.hash);
  }

  // While a form is on its way, its answer says more than a refresh would.
  const sending = () => document.querySelector("form[data-busy]") !== null;

  let wanted = 0;
  let running = false;
  const refresh = async () => {
    wanted += 1;
    // A page nobody looks at is brought up to date when somebody does; the console counts in its title meanwhile.
    if (running || sending() || (document.hidden && !onConsole)) return;
    running = true;
    while (wanted) {
      wanted = 0;
      const before = document.querySelectorAll(".queue .row-amount").length;
      const fresh = await load("GET", address());
      if (sending()) {
        wanted = 1;
        break;
      }
      if (fresh?.ok) {
        document.title = fresh.page.title;
        take(fresh.page);
      } else if (fresh) tell(`${fresh.page.querySelector("h1").textContent}.`);
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

  // A form that stays: sent from here, and the page that comes back is taken over part by part. If it is about something
  // else, it is opened. What could not be done leaves what was written where it is.
  addEventListener("submit", async (event) => {
    const form = event.target;
    if (event.defaultPrevented || !("stay" in form.dataset)) return;
    event.preventDefault();
    if (sending()) return;
    form.dataset.busy = "";
    const answer = await load("POST", form.action, new URLSearchParams(new FormData(form, event.submitter)));
    delete form.dataset.busy;
    answered(form, answer);
    if (wanted) refresh();
  });

  const answered = (form, answer) => {
    if (!answer) return tell("The desk did not answer. What you wrote is still here; try again.");
    const fresh = answer.page;
    if (!answer.ok) return tell(`${fresh.querySelector("h1").textContent}. What you wrote is still here.`);
    const leaves = new URL(answer.address).pathname !== location.pathname || read(fresh) !== read();
    if (leaves) return location.assign(answer.address);
    const strips = part(fresh, "strips");
    const done = strips.querySelector(".done") && !strips.querySelector(".warn:last-child");
    if (done) form.reset();
    if (done) form.closest("details")?.removeAttribute("open");
    toldAt = Date.now();
    part(document, "strips").replaceWith(document.adoptNode(strips));
    take(fresh);
  };

  // Somebody stopped typing: what was left as it was is brought up to date.
  addEventListener("focusout", () => {
    if (behind) refresh();
    behind = false;
  });

  setInterval(() => tellTimes(document), 15000);

  // On the desk the widget hears what happens; on the console this page listens itself.
  document.addEventListener("quarantine:changed", refresh);
  document.addEventListener("visibilitychange", () => wanted && refresh());
  if (onConsole) {
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
