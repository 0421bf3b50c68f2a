// What the desk tells the widget. Any site writes its own in the same form, before it loads `/quarantine.js`.
(() => {
  "use strict";
  const meta = (name) => document.querySelector(`meta[name="quarantine-${name}"]`)?.content || null;

  // The reply form as a tool, where a person sends replies: an agent fills it, a person reads it, changes it, and sends
  // it. The browser knows the form by its `toolname`; without WebMCP the same is done here.
  const NAME = "reply_to_customer";
  const REARM = 500;
  const formOf = (element) => element?.closest?.(`form[toolname="${NAME}"]`);
  const form = () => document.querySelector(`form[toolname="${NAME}"]`);
  const sendOf = (form) => form.querySelector("button");
  const textOf = (form) => form.elements.message;
  // Set while what stands in the form is an agent's and no person has done anything in it since.
  let unread = false;
  let filled = "";
  let pressed = false;
  let before = "";
  let focused = document.body;
  let sendFocusedAt = -Infinity;
  let waiting = [];

  const note = (form, words, back) => {
    let line = form.querySelector("[role=status]");
    if (!line) {
      line = document.createElement("p");
      line.className = "hint";
      line.setAttribute("role", "status");
      form.append(line);
    }
    line.textContent = words;
    if (!back) return;
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = "Put it back";
    button.addEventListener("click", () => {
      textOf(form).value = before = back;
      note(form, "Your text is back.");
      textOf(form).focus();
    });
    line.append(" ", button);
  };
  const off = (form, is) => {
    if (is) sendOf(form).setAttribute("aria-disabled", "true");
    else sendOf(form).removeAttribute("aria-disabled");
  };
  const arm = (form) => {
    if (!unread) return;
    unread = false;
    setTimeout(() => unread || off(form, false), REARM);
  };

  const wasFilled = () => {
    const into = form();
    if (!into) return;
    const text = textOf(into).value;
    const lost = before && before !== text ? before : "";
    before = filled = text;
    unread = true;
    off(into, true);
    // A page that redraws must leave the form alone: taking it away would cancel the call.
    into.pending = true;
    note(
      into,
      lost
        ? `An agent wrote this over: \u201c${lost}\u201d. Read it, change it, then send it.`
        : "An agent wrote this. Read it, change it, then send it.",
      lost,
    );
    // The browser moves the focus to the button; whoever was writing elsewhere goes on writing there.
    if (document.activeElement === sendOf(into) && performance.now() - sendFocusedAt < 100) {
      if (focused?.isConnected) focused.focus({ preventScroll: true });
      if (document.activeElement === sendOf(into)) sendOf(into).blur();
    }
  };

  const send = async (form) => {
    const text = textOf(form).value;
    try {
      const answer = await fetch(`/api/tickets/${encodeURIComponent(meta("subject"))}/reply`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ message: text }),
      });
      const said = await answer.json();
      if (!answer.ok) {
        note(form, said.reason);
        return said;
      }
      // Later: taking the text out while the call is open would cancel it.
      setTimeout(() => {
        form.reset();
        before = "";
        note(form, "Sent.");
      }, 100);
      return { outcome: "sent", edited: text !== filled, ...said };
    } catch {
      const reason = "The desk could not be reached, so the reply may not have been sent.";
      note(form, reason);
      return { error: "UNREACHABLE", reason };
    }
  };

  const listen = () => {
    document.addEventListener("focusin", ({ target }) => {
      const inside = formOf(target);
      if (inside && target === sendOf(inside)) sendFocusedAt = performance.now();
      else focused = target;
    });
    document.addEventListener("input", (event) => {
      const inside = formOf(event.target);
      // Typing says what kind of input it is; a fill does not.
      if (inside && event.inputType) before = textOf(inside).value;
    });
    for (const kind of ["pointerdown", "keydown"])
      document.addEventListener(kind, ({ target, isTrusted }) => {
        const inside = formOf(target);
        if (inside && isTrusted && !sendOf(inside).contains(target)) arm(inside);
      });
    document.addEventListener(
      "click",
      (event) => {
        const inside = formOf(event.target);
        if (!inside || !sendOf(inside).contains(event.target) || !event.isTrusted) return;
        if (sendOf(inside).hasAttribute("aria-disabled")) {
          event.preventDefault();
          note(inside, "Read what the agent wrote, then press again.");
          arm(inside);
        } else {
          pressed = true;
          setTimeout(() => (pressed = false));
        }
      },
      true,
    );
    document.addEventListener("submit", (event) => {
      const inside = formOf(event.target);
      if (!inside) return;
      event.preventDefault();
      const refused = { error: "NOT_SENT", reason: "Only a person sends this form, by pressing its button." };
      const answer = pressed ? send(inside) : Promise.resolve(refused);
      pressed = false;
      answer.finally(() => (inside.pending = false));
      if (event.agentInvoked) event.respondWith(answer);
      for (const settle of waiting.splice(0)) settle(answer);
    });
    const context = document.modelContext;
    context?.addEventListener?.("toolactivated", (event) => event.toolName === NAME && wasFilled());
    context?.addEventListener?.("toolcancel", (event) => event.toolName === NAME && gone());
  };
  const gone = () => {
    const inside = form();
    if (!inside) return;
    inside.pending = false;
    note(inside, "The agent waits no longer. What it wrote can still be sent.");
  };

  // Without WebMCP: fills the form as the browser would, and waits as the browser would.
  const fill = ({ message }, { signal } = {}) =>
    new Promise((settle) => {
      const into = form();
      if (!into) return settle({ error: "NOT_AVAILABLE", reason: "The reply form is not there now." });
      waiting.push(settle);
      signal?.addEventListener("abort", () => {
        waiting = waiting.filter((one) => one !== settle);
        if (!waiting.length) gone();
      });
      textOf(into).value = message;
      wasFilled();
    });

  let tools = __TOOLS__;
  if (meta("replies") === "person") {
    listen();
    tools = tools.map((tool) => {
      if (tool.name !== NAME) return tool;
      const { ticket_id, ...properties } = tool.inputSchema.properties;
      const inputSchema = { ...tool.inputSchema, properties, required: ["message"] };
      return { ...tool, inputSchema, form: true, execute: fill };
    });
  }

  window.QuarantineConfig = {
    // What is permitted now; asked with the agent's token.
    policyEndpoint: "/api/policy?ticket={subject}",
    // Wake-ups: ids and states, never facts.
    events: meta("events") === "none" ? null : "/api/events",
    // What this page is about. Without it only the tools of `withoutSubject` are there.
    subject: () => meta("subject"),
    withoutSubject: ["list_tickets"],
    // The credential of a tool call: the agent's, or that of a person playing the agent.
    headers: (played) => {
      const token = meta(played ? "played" : "agent");
      return token ? { authorization: `Bearer ${token}` } : {};
    },
    // A tool has an `endpoint` that its calls go to, or an `execute` of its own; `form` says that a form on the page is
    // the tool where there is WebMCP; `hold` says where a call waits that a person decides.
    tools,
    approvals: {
      list: "/api/approvals?ticket={subject}",
      open: "/api/approvals/{refund_id}/open",
      amount: "/api/approvals/{refund_id}/amount",
      decide: "/api/refund/decide",
      strength: meta("strength"),
      consoleUrl: meta("console"),
    },
    record: "/api/record?ticket={subject}",
    // A selector, "corner" or "none".
    panel: meta("panel") ?? "#quarantine-panel",
  };
})();
