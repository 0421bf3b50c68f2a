// A client of the official SDK that lists, calls, subscribes and cancels through the gateway; one JSON line at the end.
import { createRequire } from "node:module";
const require = createRequire(process.argv[2] + "/");
const { Client } = require("@modelcontextprotocol/sdk/client/index.js");
const { StdioClientTransport } = require("@modelcontextprotocol/sdk/client/stdio.js");
const { ResourceUpdatedNotificationSchema } = require("@modelcontextprotocol/sdk/types.js");

const transport = new StdioClientTransport({ command: process.argv[3], args: ["run"], env: process.env, stderr: "ignore" });
const client = new Client({ name: "client", version: "1" }, { capabilities: {} });
await client.connect(transport);
const said = {};
said.tools = (await client.listTools()).tools.map((tool) => tool.name);
said.sum = (await client.callTool({ name: "everything__get-sum", arguments: { a: 2, b: 3 } })).content.at(-1).text;
const resources = (await client.listResources()).resources;
said.resources = resources.length;
said.templates = (await client.listResourceTemplates()).resourceTemplates.length;
said.prompts = (await client.listPrompts()).prompts.map((prompt) => prompt.name);
said.read = (await client.readResource({ uri: resources[0].uri })).contents.length;
const updated = new Promise((resolve) => client.setNotificationHandler(ResourceUpdatedNotificationSchema, resolve));
await client.subscribeResource({ uri: resources[0].uri });
await client.callTool({ name: "everything__toggle-subscriber-updates", arguments: {} });
said.updated = (await updated).params.uri === resources[0].uri;
const slow = { name: "everything__trigger-long-running-operation", arguments: { duration: 600, steps: 600 } };
const abort = new AbortController();
let progress = 0;
said.cancelled = await client
  .callTool(slow, undefined, { signal: abort.signal, onprogress: () => { progress += 1; abort.abort(); } })
  .then(() => false, () => progress > 0);
console.log(JSON.stringify(said));
await client.close();
