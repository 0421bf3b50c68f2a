// What stands in where a browser has no `document.modelContext`: the same surface and the same answers as Chromium 156.
const failed = (message) => new DOMException(message, "UnknownError");
const copy = (value) => (value === undefined ? undefined : JSON.parse(JSON.stringify(value)));
const refuse = (message) => {
  throw new DOMException(message, "InvalidStateError");
};
class Fallback extends EventTarget {
  #tools = new Map();

  #tell(kind, toolName) {
    const event = new Event(kind);
    if (toolName) Object.defineProperty(event, "toolName", { value: toolName });
    this["on" + kind]?.call(this, event);
    this.dispatchEvent(event);
  }

  async registerTool(tool, { signal } = {}) {
    signal?.throwIfAborted();
    const { title, description, inputSchema, annotations, execute } = tool;
    const name = String(tool.name);
    if (tool.name === undefined || typeof execute !== "function") throw new TypeError("name and execute are required");
    if (inputSchema !== undefined && (typeof inputSchema !== "object" || !inputSchema))
      throw new TypeError("Failed to convert value to 'object'.");
    if (!/^[A-Za-z0-9_.-]{1,128}$/.test(name)) refuse("Invalid tool name");
    if (!description) refuse("Description is required");
    if (this.#tools.has(name)) refuse("Duplicate tool name");
    const shown = { name, title: String(title ?? ""), description: String(description), origin: location.origin, window };
    if (inputSchema) shown.inputSchema = copy(inputSchema);
    if (annotations) {
      shown.annotations = {};
      for (const hint of ["consequentialHint", "debugging", "readOnlyHint", "untrustedContentHint"])
        shown.annotations[hint] = Boolean(annotations[hint]);
    }
    this.#tools.set(name, { shown, execute });
    signal?.addEventListener("abort", () => {
      this.#tools.delete(name);
      queueMicrotask(() => this.#tell("toolchange"));
    });
    await null;
    this.#tell("toolchange");
    signal?.throwIfAborted();
  }

  async getTools() {
    const shown = [...this.#tools.values()].map((tool) => ({ ...tool.shown, inputSchema: copy(tool.shown.inputSchema) }));
    return shown.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async executeTool(tool, input = {}, { signal } = {}) {
    signal?.throwIfAborted();
    if (typeof input !== "object" || !input) throw new TypeError("invalid input object: value is not an object");
    const found = this.#tools.get(tool?.name);
    if (!found) throw failed("The operation failed for an unknown transient reason (e.g. out of memory).");
    const cancel = new AbortController();
    const given = copy(input);
    return new Promise((resolve, reject) => {
      signal?.addEventListener("abort", () => {
        reject(signal.reason);
        cancel.abort();
        this.#tell("toolcancel", tool.name);
      });
      const thrown = (error) => {
        console.error("WebMCP tool execution failed:", error);
        reject(failed("Tool was executed but the invocation failed. For example, the script function threw an error"));
      };
      const answer = (value) => {
        const text = typeof value === "string" ? value : String(JSON.stringify(value));
        resolve(text || "Operation succeeded");
      };
      new Promise((done) => done((0, found.execute)(given, { signal: cancel.signal }))).then(answer).catch(thrown);
      this.#tell("toolactivated", tool.name);
    });
  }
}
