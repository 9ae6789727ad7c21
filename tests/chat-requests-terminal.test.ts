import { writeFile } from "node:fs/promises";

import { describe, expect, test } from "vitest";

import { startModelServer } from "../apps/agent/test/support/model-server.ts";
import type { Scratch } from "../apps/agent/test/support/scratch.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { receivedMessages, waitFor } from "../tooling/fixture-servers/index.mjs";
import type { Terminal } from "./support/terminal.ts";
import { hasTmux, openTerminal } from "./support/terminal.ts";

// oxlint-disable-next-line no-console -- a test that cannot run says why
if (!hasTmux) console.warn("What servers ask in a chat is not tested: there is no tmux here to open a terminal with.");

const SCHEMA = {
  properties: {
    colour: {
      type: "string",
      oneOf: [
        { const: "r", title: "Red" },
        { const: "g", title: "Green" },
      ],
    },
    password: { type: "string", minLength: 3 },
  },
  required: ["colour"],
};
const ASK_FORM = `/call mcp_one_ask message=Choose requestedSchema='${JSON.stringify(SCHEMA)}'`;

/** Opens a chat with a server that asks; its messages are in the log file. */
async function openChat(scratch: Scratch): Promise<{ terminal: Terminal; logFile: string }> {
  const logFile = scratch.file("messages.log");
  await scratch.userServers({ one: { asks: true, logFile } });
  const terminal = await openTerminal(scratch);
  await terminal.showsPrompt();
  await waitFor(async () => (await terminal.answerTo("/tools")).includes("mcp_one_ask"), "the tools");
  return { terminal, logFile };
}

async function enter(terminal: Terminal, line: string): Promise<void> {
  await terminal.type(line);
  await terminal.press("Enter");
}

/** How the questions of the server were answered. */
function answersIn(logFile: string): object[] {
  return receivedMessages(logFile)
    .filter((message) => message.method === undefined && String(message.id).startsWith("ask "))
    .map(({ id: _id, ...answer }) => answer);
}

describe.skipIf(!hasTmux)("in a terminal", () => {
  test("a form of a server is filled in, and what was accepted is in the tool's result", async () => {
    await using scratch = await createScratch();
    const { terminal, logFile } = await openChat(scratch);
    await using _ = terminal;
    await enter(terminal, ASK_FORM);
    await terminal.shows(/\? one asks you\. Its words:\n {2}│ Choose\n/);
    await terminal.shows(/\(1\/2\) colour\n {3}1\. Red \(r\)\n {3}2\. Green \(g\)\n {2}number or value:/);
    await enter(terminal, "3");
    await terminal.shows('✗ "3" is not a number from 1 to 2, or one of the values.');
    await enter(terminal, "2");
    await terminal.shows(/! This looks like a secret.*\n(?:.*\n)*\(2\/2\) password, optional\n.*leaves it out\]:/);
    await enter(terminal, "hunter2");
    await terminal.shows(/one would get:\n {2}colour: Green\n {2}password: \(not shown\)\nSend it\? \[Y\/n\/e\]/);
    expect(await terminal.screen()).not.toContain("hunter2");
    await terminal.press("Enter");
    expect(await terminal.shows(/"action":"accept"/)).toContain(
      '{"action":"accept","content":{"colour":"g","password":"hunter2"}}',
    );
    await terminal.showsPrompt();
    expect(answersIn(logFile)).toMatchObject([{ result: { action: "accept" } }]);
    // Answers are none of the lines that one comes back to.
    await terminal.press("Up");
    await terminal.showsPrompt(ASK_FORM);
  });

  test("a form is declined by a word and cancelled by Ctrl-C, and the call goes on", async () => {
    await using scratch = await createScratch();
    const { terminal } = await openChat(scratch);
    await using _ = terminal;
    await enter(terminal, ASK_FORM);
    await terminal.shows("(1/2) colour");
    await enter(terminal, "!");
    await terminal.shows('{"action":"decline"}');
    await terminal.showsPrompt();
    await enter(terminal, ASK_FORM);
    await terminal.shows(/decline"\}(?:.*\n)+.*number or value:\s*$/);
    await terminal.press("C-c");
    expect(await terminal.shows('{"action":"cancel"}')).toContain("Cancelled; one was told so.\n");
    await terminal.showsPrompt();
    expect(await terminal.answerTo("/call mcp_one_echo text=still")).toMatch(/^still$/m);
  });

  test("the page of a server is shown, and not opened without a yes", async () => {
    await using scratch = await createScratch();
    const { terminal } = await openChat(scratch);
    await using _ = terminal;
    await enter(terminal, "/call mcp_one_ask mode=url message=Look url=https://example.com/a");
    await terminal.shows(/Address: https:\/\/example\.com\/a\n {2}Host: {4}example\.com\n/);
    await terminal.shows("Open it in the browser? [y/N]");
    await enter(terminal, "n");
    await terminal.shows('{"action":"decline"}');
    await terminal.showsPrompt();
  });

  test("the model answers a server when the person allows it", async () => {
    await using scratch = await createScratch();
    await using model = await startModelServer("anthropic", [{ answer: { text: ["Good ", "day."] } }]);
    await scratch.write("home/.config/toolgate/config.json", {
      model: { name: "anthropic/some-model", baseUrls: { anthropic: model.url } },
    });
    const env = { ...scratch.env, ANTHROPIC_API_KEY: "sk-the-key" };
    const { terminal } = await openChat({ ...scratch, env });
    await using _ = terminal;
    const messages = JSON.stringify([{ role: "user", content: { type: "text", text: "hello" } }]);
    await enter(terminal, `/call mcp_one_sample maxTokens=20 messages='${messages}'`);
    await terminal.shows(/\? one wants anthropic\/some-model to answer with at most 20 tokens, at your cost/);
    await terminal.shows("Answer it? [y]es once, [a]lways for this server in this session, [N]o:");
    expect(model.requests).toEqual([]);
    await enter(terminal, "y");
    await terminal.shows(/The answer:\n {2}│ Good day\.\nSend it to one\? \[Y\/n\]/);
    await terminal.press("Enter");
    expect(await terminal.shows('"stopReason":"endTurn"')).toContain('"content":{"type":"text","text":"Good day."}');
    await terminal.showsPrompt();
    expect(model.requests).toMatchObject([{ body: { messages: [{ role: "user" }] } }]);
  });

  test("Ctrl-C throws away what is being typed, and then the form", async () => {
    await using scratch = await createScratch();
    const { terminal } = await openChat(scratch);
    await using _ = terminal;
    await enter(terminal, ASK_FORM);
    await terminal.shows("(1/2) colour");
    await terminal.type("half of an answ");
    await terminal.shows("half of an answ");
    await terminal.press("C-c", "C-c");
    await terminal.shows('{"action":"cancel"}');
    await terminal.showsPrompt();
  });

  test("what was being typed at the prompt is no answer, and comes back after it", async () => {
    await using scratch = await createScratch();
    const { terminal, logFile } = await openChat(scratch);
    await using _ = terminal;
    const gate = scratch.file("gate");
    await terminal.answerTo(`${ASK_FORM} later=${gate}`);
    await terminal.type("/call mcp_one_ec");
    await terminal.showsPrompt("/call mcp_one_ec");
    await writeFile(gate, "");
    await terminal.shows("(1/2) colour");
    await enter(terminal, "1");
    await terminal.shows("(2/2) password");
    await enter(terminal, "");
    await terminal.shows("Send it?");
    await enter(terminal, "y");
    await terminal.showsPrompt("/call mcp_one_ec");
    await waitFor(() => answersIn(logFile).length === 1, "the answer");
    expect(answersIn(logFile)).toMatchObject([{ result: { action: "accept", content: { colour: "r" } } }]);
  });
});
