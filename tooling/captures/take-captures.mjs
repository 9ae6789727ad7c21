/**
 * Takes the pictures of docs/terminal.md: the tour, the list and the chat as a terminal shows them, with real servers.
 *
 * `npm run captures`. Needs tmux.
 */
import { writeFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { renderSvg } from "./render-svg.mjs";
import { openTerminalSession } from "./terminal-session.mjs";

const root = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");
const toolgate = `${root}/apps/agent/bin/toolgate.js`;
const size = { columns: 100, rows: 60 };
const PROMPT = /^›\s*$/m;

const terminal = await openTerminalSession([process.execPath, toolgate, "demo"], size);
try {
  await terminal.shows(PROMPT);
  await take("tour", "The tour: what is configured, a cold start, calls, a warm start, a reload and the teardown");

  await enter("/mcp reconnect ev", /ev: /);
  await clear();
  await enter("/mcp list", /✗ broken/);
  await take("list", "The list of servers by source, with state, tools, duration and the reason of a failure");

  await clear();
  await terminal.type("what is the sum of a=17 b=25");
  await terminal.press("Enter");
  await terminal.shows(/Run it\?/);
  await enter("y", /The sum of 17 and 25 is 42/);
  await enter("/call mcp_files_list_directory path=.", /README\.md/);
  await enter("/mcp test think", /think/);
  await take("chat", "The chat: a prompt that calls a tool, a call by hand, and the test of a server");
} finally {
  await terminal.close();
}

/** @param {string} line @param {RegExp} answer */
async function enter(line, answer) {
  await terminal.type(line);
  await terminal.press("Enter");
  await terminal.shows(answer);
  await terminal.shows(new RegExp(`${answer.source}[\\s\\S]*^›\\s*$`, "m"));
}

async function clear() {
  await terminal.press("C-l");
  await terminal.shows(/^(?!.*\n[\s\S]*\n[\s\S]*\S)[\s\S]*›\s*$/);
}

/** @param {string} name @param {string} title */
async function take(name, title) {
  const file = `${root}/docs/images/${name}.svg`;
  // The picture is not about where this copy lies.
  const screen = (await terminal.styled())
    .replaceAll(root, "~/toolgate")
    .replaceAll(process.execPath, "node")
    .replaceAll(/toolgate-tour-\w+/g, "toolgate-tour");
  await writeFile(file, renderSvg(screen, { title, columns: size.columns }));
}
