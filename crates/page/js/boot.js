// What the proof's page needs of the browser. It runs in a sandbox of its own: requests carry that sandbox's
// credentials and never the visitor's cookie.
(() => {
  "use strict";
  const root = document.getElementById("proof");
  if (!root) return;

  const meta = (name, content) => {
    let tag = document.querySelector(`meta[name="quarantine-${name}"]`);
    if (!tag) {
      tag = document.createElement("meta");
      tag.name = `quarantine-${name}`;
      document.head.append(tag);
    }
    tag.content = content;
  };
  const context = () => window.Quarantine?.modelContext ?? document.modelContext;

  const browser = {
    // [status, body, seconds to wait].
    async ask(method, path, headers, body, own) {
      const given = { method, headers: JSON.parse(headers), cache: "no-store", credentials: own ? "same-origin" : "omit" };
      if (method !== "GET") given.body = body;
      const answer = await fetch(path, given);
      return [answer.status, await answer.text(), Number(answer.headers.get("retry-after")) || 0];
    },
    wait: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    // The widget on this page, once it has started.
    ready: () =>
      new Promise((resolve, reject) => {
        if (window.Quarantine?.refresh) return resolve();
        if (!window.Quarantine) return reject(new Error("no widget"));
        document.addEventListener("quarantine:ready", () => resolve(), { once: true });
      }),
    mode: () => String(window.Quarantine?.mode ?? "nothing"),
    // This page is about that ticket from now on.
    async focus(ticket, token) {
      meta("subject", ticket);
      meta("agent", token);
      meta("played", token);
      window.Quarantine.focus(ticket);
      await window.Quarantine.refresh();
    },
    refresh: async () => void (await window.Quarantine.refresh()),
    held: async () => (await context().getTools()).map((tool) => tool.name),
    async execute(name, input) {
      const tool = (await context().getTools()).find((one) => one.name === name);
      if (!tool) return JSON.stringify({ error: "NO_SUCH_TOOL" });
      // The polyfill keeps to the older contract.
      const given = window.Quarantine?.mode === "WebMCP polyfill" ? input : JSON.parse(input);
      return String(await context().executeTool(tool, given));
    },
    // Calls that are open look at their refund again, as they do when the network comes back.
    look: () => void dispatchEvent(new Event("online")),
  };

  /* the glue */

  const start = async () => {
    await wasm_bindgen({ module_or_path: fetch(new URL("__WASM__", location.origin), { integrity: "__INTEGRITY__" }) });
    await wasm_bindgen.prove(root);
  };
  start().catch((error) => {
    root.textContent = "The proof could not be run in this browser.";
    root.closest("main")?.setAttribute("data-proof", "failed");
    console.error("The proof stopped:", error);
  });
})();
