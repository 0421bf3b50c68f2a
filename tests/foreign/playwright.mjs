// Playwright's page.webmcp as an agent: reads one request a line, answers one line each.
import { createInterface } from "node:readline";
import { chromium } from "playwright-core";

const browser = await chromium.connectOverCDP(process.env.WEBSOCKET);
const pages = browser.contexts().flatMap((context) => context.pages());
const page = pages.find((page) => page.url() === process.env.PAGE);
if (!page) throw new Error(`${process.env.PAGE} is not open`);

for await (const line of createInterface({ input: process.stdin })) {
  const { tool, input } = JSON.parse(line);
  const answer = tool ? await page.webmcp.callTool(tool, input) : await page.webmcp.tools();
  console.log(JSON.stringify(tool ? answer : answer.map((tool) => tool.name)));
}
process.exit(0);
