// What the desk tells the widget. Any site writes its own in the same form, before it loads `/quarantine.js`.
(() => {
  "use strict";
  const meta = (name) => document.querySelector(`meta[name="quarantine-${name}"]`)?.content || null;
  window.QuarantineConfig = {
    // What is permitted now; asked with the agent's token.
    policyEndpoint: "/api/policy?ticket={subject}",
    // Wake-ups: ids and states, never facts.
    events: "/api/events",
    // What this page is about. Without it only the tools of `withoutSubject` are there.
    subject: () => meta("subject"),
    withoutSubject: ["list_tickets"],
    // The credential of a tool call: the agent's, or that of a person playing the agent.
    headers: (played) => {
      const token = meta(played ? "played" : "agent");
      return token ? { authorization: `Bearer ${token}` } : {};
    },
    tools: __TOOLS__,
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
    panel: "#quarantine-panel",
  };
})();
