// The door between a page and the widget's wasm. What the browser wants as callbacks, promises and signals stands
// here; what is decided stands in Rust. One function around everything: it leaves `window.Quarantine` and no other name.
(() => {
  "use strict";
  // Only while this line runs does the document know which script it runs.
  const source = document.currentScript?.src ?? location.href;
  if (window.Quarantine) return; // Included twice: the first one goes on.
  const api = (window.Quarantine = { tools: () => [] });
  const config = window.QuarantineConfig ?? {};
  const wasmFile = "__WASM__";

  const fill = (address, values) =>
    address.replace(/\{(\w+)\}/g, (whole, name) => (values[name] == null ? whole : encodeURIComponent(values[name])));

  // Gives [status, body], status 0 if nothing answered; never throws. `who` is "agent", "played" or "page". An agent
  // is known by its token and brings no cookie, a person's press by the cookie and brings no token.
  const ask = async (method, address, who, body, keepalive) => {
    try {
      const page = who === "page";
      if (!address) throw 0;
      const headers = page ? {} : { ...config.headers?.(who === "played") };
      const request = { method, headers, credentials: page ? "same-origin" : "omit", cache: "no-store", keepalive };
      if (method === "GET") request.signal = AbortSignal.timeout(20_000);
      else {
        headers["content-type"] = "application/json";
        request.body = JSON.stringify(body ?? {});
      }
      const answer = await fetch(address, request);
      return [answer.status, await answer.json().catch(() => null)];
    } catch {
      return [0, null];
    }
  };

  // The permit and the wasm are on their way at the same time.
  const bytes = fetch(new URL(wasmFile, source), { integrity: "__INTEGRITY__" });
  const subject = (typeof config.subject === "function" ? config.subject() : config.subject) || "";
  const permit = subject && config.policyEndpoint ? ask("GET", fill(config.policyEndpoint, { subject }), "agent") : null;

  // A panic leaves the wasm unusable, so whatever must happen then is held here: registrations are withdrawn, held
  // refunds taken back, and open calls answered with a value.
  const FAILED = {
    error: "WIDGET_FAILED",
    reason: "The widget on this page has stopped; nothing was done for this call from here on. Reload the page.",
  };
  const open = new Set();
  const registered = new Set();
  const held = new Map();
  let broken = false;
  let region = null;

  const takeBack = () => {
    for (const [address, who] of held.values()) ask("POST", address, who, {}, true);
    held.clear();
  };
  const fail = () => {
    if (broken) return;
    broken = true;
    for (const registration of registered) registration.abort();
    takeBack();
    for (const resolve of open) resolve(FAILED);
    if (region) region.textContent = "The widget on this page has stopped, and held refunds were taken back. Reload the page.";
  };
  const ours = (error) => error instanceof WebAssembly.RuntimeError && String(error.stack).includes(wasmFile);
  addEventListener("error", (event) => ours(event.error) && fail());
  addEventListener("unhandledrejection", (event) => ours(event.reason) && fail());
  // Tells the wasm what happened; it says with `door.on` who hears it.
  let listener = () => undefined;
  const wasm = (what, ...values) => {
    if (broken) return undefined;
    try {
      return listener(what, values);
    } catch (error) {
      fail();
      throw error;
    }
  };

  const execute = (name) => (input, options) =>
    new Promise((resolve) => {
      if (broken) return resolve(FAILED);
      open.add(resolve);
      const settle = (value) => open.delete(resolve) && resolve(value);
      try {
        wasm("execute", name, input ?? {}, options?.signal, settle);
      } catch {
        resolve(FAILED);
      }
    });

  /* the fallback */

  /* the view */

  const door = {
    get: at,
    getAt: (of, key) => of?.[key],
    set: (of, key, value) => void (of[key] = value),
    object: () => ({}),
    array: (of) => of,
    list: (of) => (Array.isArray(of) ? of : []),
    isList: Array.isArray,
    keys: (of) => Object.keys(of ?? {}),
    figure: (of) => (/^\s*-?\d+(\.\d*)?\s*$/.test(of) ? Number(of) : NaN),
    parse(json) {
      try {
        return JSON.parse(json);
      } catch {
        return null;
      }
    },
    same: (one, other) => JSON.stringify(one) === JSON.stringify(other),
    matches(pattern, text) {
      try {
        return new RegExp(pattern, "u").test(text);
      } catch {
        return true;
      }
    },
    write,
    // The address that stands at this place of the settings, about one thing.
    address: (path, name, value) => fill(at(config, path) ?? "", { [name]: value }),
    fill,
    // Inputs that are named in the address stand there, the others in the body or the query.
    // How long a held call may wait is for us alone.
    compose({ endpoint: { method, url }, hold }, input) {
      const rest = Object.entries(input).filter(
        ([name]) => !url.includes(`{${name}}`) && !(hold && name === "wait_seconds"),
      );
      const address = fill(url, input);
      if (method !== "GET") return [address, Object.fromEntries(rest)];
      return [rest.length ? address + (url.includes("?") ? "&" : "?") + new URLSearchParams(rest) : address];
    },
    ask,
    call: (what, value) => void what(value),
    on: (happened) => void (listener = happened),
    soon: () => queueMicrotask(() => wasm("settled")),
    boxed(promise) {
      const box = { done: false };
      const settle = (value) => {
        box.value = value;
        box.done = true;
        wasm("settled");
      };
      promise.then(settle, () => settle());
      return box;
    },
    // [the page's modelContext, whether it is the browser's own]
    context() {
      const found = document.modelContext;
      return [found ?? undefined, /\[native code\]/.test(Function.prototype.toString.call(found?.registerTool ?? String))];
    },
    fallback: () => new Fallback(),
    subject: () => subject,
    permit: () => permit,

    register(context, { name, title, description, inputSchema, annotations }) {
      const registration = new AbortController();
      const { signal } = registration;
      registered.add(registration);
      signal.addEventListener("abort", () => registered.delete(registration));
      const refused = (error) => signal.aborted || wasm("refused", name, error.name);
      try {
        const tool = { name, title, description, inputSchema, annotations, execute: execute(name) };
        context.registerTool(tool, { signal })?.catch?.(refused);
      } catch (error) {
        queueMicrotask(() => refused(error));
      }
      return registration;
    },
    // A person plays the agent: the same way in as an agent's.
    async play(context, name, input, signal, asText) {
      let answer;
      try {
        const tool = (await context.getTools?.())?.find(
          (one) => one.name === name && (one.window ?? one.source ?? window) === window,
        );
        answer = tool
          ? JSON.parse(await context.executeTool(tool, asText ? JSON.stringify(input) : input, { signal }))
          : await execute(name)(input, { signal });
      } catch (error) {
        answer = { error: error.name, reason: error.message };
      }
      return JSON.stringify(answer, null, 2);
    },
    emit: (name) => void document.dispatchEvent(new Event(name)),

    // Something to wait for: [promise, ring]. The signal's abort rings as well.
    bell(signal) {
      let ring;
      const rung = new Promise((resolve) => {
        ring = () => {
          signal?.removeEventListener("abort", ring);
          resolve();
        };
        if (signal?.aborted) resolve();
        else signal?.addEventListener("abort", ring);
      });
      return [rung, ring];
    },
    controller: () => new AbortController(),
    abort: (controller) => controller.abort(),
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    // A refund that this page takes back when it goes away.
    keep: (call, address, who) => void held.set(call, [address, who]),
    unkeep: (call) => void held.delete(call),

    // [granted, lost, release]: promises of a boolean and of nothing.
    lock(name, mode) {
      let release, granted;
      const until = new Promise((resolve) => (release = resolve));
      const got = new Promise((resolve) => (granted = resolve));
      // Without locks (a page that is not secure) each page has a stream of its own, and none looks after another.
      if (!navigator.locks) return [name.endsWith(" stream") ? Promise.resolve(true) : until, until, release];
      const cancel = new AbortController();
      const options = mode === "steal" ? { steal: true } : { mode, signal: cancel.signal };
      const lost = navigator.locks.request(name, options, () => (granted(true), until)).catch(() => granted(false));
      return [got, lost, () => (cancel.abort(), release())];
    },
    waitedFor: async (name) => (await navigator.locks.query()).pending.some((one) => one.name === name),
    stored(prefix) {
      try {
        return Object.keys(localStorage).filter((key) => key.startsWith(prefix));
      } catch {
        return [];
      }
    },
    read(key) {
      try {
        return localStorage.getItem(key);
      } catch {}
    },
    store(key, value) {
      try {
        if (value) localStorage.setItem(key, value);
        else localStorage.removeItem(key);
      } catch {}
    },
    channel(name) {
      const channel = new BroadcastChannel(name);
      channel.onmessage = ({ data }) => wasm("heard", false, ...data);
      return channel;
    },
    post: (channel, message) => channel.postMessage(message),
    close: (what) => what.close(),
    listen(address, after) {
      const from = new URL(address, location.href);
      // A new stream can't set Last-Event-ID.
      if (after) from.searchParams.set("after", after);
      const stream = new EventSource(from);
      stream.onopen = () => wasm("heard", true, "open", 0, "");
      stream.onmessage = (event) => wasm("heard", true, "event", Number(event.lastEventId), event.data);
      stream.onerror = () => wasm("heard", true, "lost", 0, "");
      return stream;
    },

    // The panel's root is closed and takes its style from a sheet: no style attribute, no <style>, no markup as text.
    panel(css, template) {
      const host = document.createElement("div");
      const root = host.attachShadow({ mode: "closed" });
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      root.adoptedStyleSheets = [sheet];
      region = document.createElement("section");
      region.setAttribute("aria-label", "Quarantine");
      root.append(region);
      const mount = config.panel && config.panel !== "corner" ? document.querySelector(config.panel) : null;
      host.dataset.place = mount ? "mount" : "corner";
      (mount ?? document.body).append(host);
      for (const [kind, tag] of [["click", "button"], ["submit", "form"]])
        root.addEventListener(kind, (event) => {
          const on = event.target.closest(tag + "[data-do]");
          if (kind === "submit") event.preventDefault();
          if (on) wasm("acted", on.dataset.do, on.dataset.of, event.isTrusted);
        });
      return build(region, template);
    },
    build,
    draw,
    drawList,
    drawAgain,
    removeRoot: (view) => void view.root.remove(),

    clock: () => Date.now(),
    hidden: () => document.hidden,
  };

  /* the glue */

  const start = async () => {
    await wasm_bindgen({ module_or_path: bytes });
    addEventListener("pagehide", () => {
      takeBack();
      wasm("left");
    });
    addEventListener("pageshow", (event) => event.persisted && wasm("returned"));
    addEventListener("online", () => wasm("returned"));
    document.addEventListener("visibilitychange", () => document.hidden || wasm("looked"));
    addEventListener("storage", () => wasm("looked"));
    setInterval(() => wasm("tick"), 3000);
    api.tools = () => wasm("tools") ?? [];
    api.focus = (to) => wasm("focus", String(to));
    api.refresh = () => wasm("refresh");
    wasm_bindgen.start(config, api);
  };
  start().catch((error) => {
    fail();
    console.error("Quarantine could not start:", error);
    document.dispatchEvent(new Event("quarantine:ready"));
  });
})();
