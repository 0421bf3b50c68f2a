(async () => {
  const permit = await (await fetch("/api/policy")).json();
  for (const name of permit.tools) {
    document.modelContext
      .registerTool({
        name,
        description: "The same tool, registered by hand.",
        inputSchema: { type: "object", properties: { ticket_id: { type: "string" } } },
        execute: (input) => fetch("/api/" + name, { method: "POST", body: JSON.stringify(input) }),
      })
      .catch(() => {});
  }
})();
