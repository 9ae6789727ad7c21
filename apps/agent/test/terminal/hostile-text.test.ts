import type { AgentTool, ToolResult } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";
import type { FormElicitation } from "@toolgate/mcp-client";
import { array, assert, asyncProperty, constantFrom } from "fast-check";
import { expect, test } from "vitest";

import { describeQuestion } from "../../src/approval/approval-question.ts";
import { completeInput } from "../../src/chat/completion/complete-input.ts";
import { readMentions } from "../../src/chat/mentions/read-mentions.ts";
import { renderStatusLine } from "../../src/chat/status-line.ts";
import { describeToolNews } from "../../src/chat/tool-news.ts";
import { KeptOutputs } from "../../src/chat/turn/kept-outputs.ts";
import { createTurnView } from "../../src/chat/turn/turn-view.ts";
import { describeFailure } from "../../src/mcp-commands/describe-failure.ts";
import { createServerRequestHandlers } from "../../src/server-requests/create-server-request-handlers.ts";
import type { AgentEvent } from "../../src/session/agent-event.ts";
import { createInputHistory } from "../../src/state/input-history.ts";
import { keepStyles } from "../../src/terminal/keep-styles.ts";
import { toPrintableJson } from "../../src/terminal/printable-json.ts";
import { createStyle, plainStyle } from "../../src/terminal/style.ts";
import { plainTool } from "../support/plain-tool.ts";
import { createScratch } from "../support/scratch.ts";
import { openScriptedChat } from "../support/scripted-chat.ts";
import { scriptedModel } from "../support/scripted-model.ts";
import { createScriptedTerminal } from "../support/scripted-terminal.ts";

/** What a line of the app might begin with, were a text to get that far. */
const FAKE = "FAKE";

const PIECES = [
  "\u001b[2J",
  "\u001b[31m",
  "\u001b[8m",
  "\u001b]52;c;c2VjcmV0\u0007",
  "\u001b]8;;http://elsewhere\u001b\\",
  "\u001b",
  "\u009b2K",
  "\u009d0;title\u009c",
  "\r",
  "\r\n",
  "\n",
  "\v",
  "\u0085",
  "\u2028",
  "\u202e",
  "\u2066",
  "\u061c",
  "\u200b",
  "\u{e0041}",
  "\b",
  "\u007f",
  "\u0000",
  "&#27;[2J",
  "[2J",
  "`",
  "\n```\n",
  "\n| a |\n|---|\n",
  "\n# ",
  `\n${FAKE}`,
  `\r${FAKE}`,
  `\n› ${FAKE}`,
  "Run it? [y] ",
  "x",
];

const hostile = array(constantFrom(...PIECES), { maxLength: 12 }).map((pieces) => `x${pieces.join("")}\n${FAKE} y`);

/** What a terminal obeys or shows in another order. */
const OBEYED =
  // oxlint-disable-next-line no-control-regex -- these are what must not be left
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069]|\udb40[\udc00-\udc7f]/;

async function always(check: (text: string) => Promise<void> | void): Promise<void> {
  await assert(
    asyncProperty(hostile, async (text) => check(text)),
    { numRuns: 60 },
  );
}

function expectSafe(shown: string): void {
  expect(shown).not.toMatch(OBEYED);
}

/** No line is anything but the app's own, or a marked one. */
function expectMarked(shown: string): void {
  expectSafe(shown);
  expect(shown).not.toMatch(/^(?:› )?FAKE/m);
}

const details = { tool: "t", durationMs: 5, server: "s" };

function eventsOf(text: string): AgentEvent[] {
  const result: ToolResult = { content: [{ type: "text", text }], isError: false, details };
  const image: ToolResult = { content: [{ type: "image", data: "AAAA", mimeType: text }], isError: true, details };
  return [
    { type: "waiting", servers: [text, "b"] },
    { type: "reasoning", text },
    { type: "tool-call", call: { id: "1", name: text, arguments: { [text]: text, deep: { [text]: [text] } } } },
    { type: "tool-progress", toolCallId: "1", progress: { progress: 1, total: 2, message: text } },
    { type: "tool-result", toolCallId: "1", toolName: text, result },
    { type: "tool-call", call: { id: "2", name: "edit", arguments: { path: text, old_text: text, new_text: "x" } } },
    { type: "tool-result", toolCallId: "2", toolName: "edit", result: { ...image, details: { ...details } } },
    { type: "tool-call", call: { id: "3", name: text, arguments: {} } },
    { type: "warning", message: text },
    { type: "error", message: text },
  ];
}

test.each([
  ["redrawn", { canRedraw: true }],
  ["of plain lines", { canRedraw: false }],
])("a turn on a terminal that is %s", async (_name, abilities) => {
  await always((text) => {
    const terminal = createScriptedTerminal({ isInteractive: true, ...abilities });
    const outputs = new KeptOutputs();
    const view = createTurnView({ terminal, style: plainStyle, outputs });
    for (const event of eventsOf(text)) {
      view.show(event);
      expectMarked(terminal.live.join("\n"));
    }
    view.end();
    expectMarked(terminal.text);
    expectSafe(outputs.show("1"));
  });
});

test("the words of a model, whole, in pieces, as Markdown and in a pipe", async () => {
  await always((text) => {
    for (const abilities of [{}, { canRedraw: false }, { isInteractive: false, canRedraw: false }]) {
      for (const textFormat of ["markdown", "plain"] as const) {
        const terminal = createScriptedTerminal(abilities);
        const view = createTurnView({ terminal, style: plainStyle, outputs: new KeptOutputs(), textFormat });
        for (const unit of [...Array.from(text), text]) view.show({ type: "text", text: unit });
        expectSafe(terminal.live.join("\n"));
        view.end();
        expectSafe(terminal.text);
      }
    }
  });
});

test("a turn in a pipe: what is no text of the model stays on its line", async () => {
  await always((text) => {
    const terminal = createScriptedTerminal({ isInteractive: false, canRedraw: false });
    const view = createTurnView({ terminal, style: plainStyle, outputs: new KeptOutputs() });
    const said = ["waiting", "tool-call", "tool-progress"];
    for (const event of eventsOf(text)) if (said.includes(event.type)) view.show(event);
    view.end();
    expectMarked(terminal.text);
  });
});

test("the question about a call", async () => {
  await always((text) => {
    const tool: AgentTool = { ...plainTool("act"), name: text, description: text };
    expectMarked(describeQuestion(tool, { [text]: text, deep: { [text]: [text] } }));
  });
});

test("the question about a call is short however much the call holds", () => {
  const args = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`${index} ${"n".repeat(9000)}`, "v"]));
  const question = describeQuestion(plainTool("act"), args);
  expect(question.split("\n").length).toBeLessThan(40);
  expect(question).toContain("… (4970 more arguments)");
  expect(question.length).toBeLessThan(10_000);
});

function askingServer(answers: string[], text: string) {
  const terminal = createScriptedTerminal({ answers });
  const { handlers } = createServerRequestHandlers({
    terminal,
    hasEnded: () => terminal.hasEnded(),
    model: () => ({ ...scriptedModel([[{ type: "text", text }]]), id: text }),
    style: plainStyle,
    openPage: () => Promise.resolve(),
  });
  const context = { server: text, signal: new AbortController().signal };
  return { terminal, handlers, context };
}

test("forms of servers", async () => {
  await always(async (text) => {
    const choice = { const: text, title: text };
    const properties = {
      [text]: { type: "string", title: text, description: text, default: text },
      pattern: { type: "string", title: text, pattern: `^a$|${text}`, format: text },
      choice: { type: "string", title: text, oneOf: [choice, { const: "b", title: text }], default: text },
      choices: { type: "array", items: { anyOf: [choice] }, default: [text] },
      names: { type: "string", enum: [text], enumNames: [text] },
      json: { type: [text], default: { [text]: text } },
    };
    const request: FormElicitation = { mode: "form", message: text, requestedSchema: { type: "object", properties } };
    const { terminal, handlers, context } = askingServer(["", "no", "a", "?", "", "", "", "", "", "e", "!"], text);
    await handlers.elicitation.form?.(request, context);
    expectMarked(terminal.shown.join("\n"));
  });
});

test("pages and requests for answers of servers", async () => {
  await always(async (text) => {
    const page = askingServer(["n"], text);
    const url = `https://${encodeURIComponent(text)}@example.com/?${text}`;
    await page.handlers.elicitation.url?.({ mode: "url", message: text, url, elicitationId: text }, page.context);
    const sampling = askingServer(["y", "y"], text);
    await sampling.handlers.sampling(
      { messages: [{ role: "user", content: { type: "text", text } }], systemPrompt: text, maxTokens: 5 },
      sampling.context,
    );
    expectMarked([...page.terminal.shown, ...sampling.terminal.shown].join("\n"));
  });
});

test("completion candidates", async () => {
  await always(async (text) => {
    const source = {
      mcpCommands: [],
      clients: [],
      commands: [],
      servers: () => ["s", text],
      tools: () => [text],
      schemaOf: () => ({ type: "object" as const, properties: { [text]: {}, a: { enum: [text] } } }),
      offers: {
        has: () => Promise.resolve(true),
        resources: () => Promise.resolve([{ server: "s", address: text, uri: text, name: text }]),
        templates: () => Promise.resolve([{ server: "s", address: text, uriTemplate: "v:{+a}", name: text }]),
        prompts: () => Promise.resolve([{ server: "s", name: text, arguments: [{ name: text }] }]),
        completeTemplate: () => Promise.resolve([text]),
        completePrompt: () => Promise.resolve([text]),
      },
    };
    for (const line of ["@", "@s:", "@s:v:", "/", "/s:", "/s:x ", "/call t ", "/call t a=", "/mcp call "]) {
      // oxlint-disable-next-line no-await-in-loop -- one line after the other
      const [candidates] = await completeInput(line, source);
      expectMarked(candidates.join("\n"));
    }
  });
});

test("what is told beside the conversation", async () => {
  await always(async (text) => {
    const tool = { ...plainTool("t"), server: text, tool: text };
    const error = new ToolgateError("SERVER_EXITED", text, { data: { exitCode: 1, stderr: text } });
    const lines = [
      renderStatusLine(text, [], 0),
      describeToolNews(new Map(), new Map([[text, new Map([[text, tool]])]])),
      describeFailure({ name: text, error }, { cwd: "/a", home: "/b" }),
      ...(await readMentions(`@"${text}"`, { cwd: "/nowhere", signal: new AbortController().signal })).problems,
    ];
    expectMarked(lines.join("\n"));
  });
});

test("inputs that are called back", async () => {
  await using scratch = await createScratch();
  const places = { home: scratch.home, env: scratch.env, platform: process.platform, cwd: scratch.project };
  await always(async (text) => {
    const history = createInputHistory({ ...places, project: text });
    history.add(text);
    await history.settle();
    expectSafe((await history.load()).join("\n"));
  });
});

test("a prompt of a server: its questions, its summary and its errors", async () => {
  await using scratch = await createScratch();
  const text = `x\u001b[2J\r\n${FAKE} \u202e\n› ${FAKE}`;
  const argument = { name: text, description: text, required: true };
  const prompts = [{ name: "p", arguments: [argument] }, { name: text }];
  await scratch.userServers({ one: { prompts } });
  await using open = await openScriptedChat(scratch, ["value", ""]);
  const shown = [await open.enter("/one:p"), await open.enter("/one:p"), await open.enter("/one:q")].flat();
  expect(open.questions).toHaveLength(2);
  expectMarked([...shown, ...open.questions].join("\n"));
});

test("JSON for a terminal is the same JSON", async () => {
  await always((text) => {
    const json = toPrintableJson({ [text]: text });
    expectSafe(json);
    expect(json).not.toContain("\n");
    expect(JSON.parse(json)).toEqual({ [text]: text });
  });
});

test("of a text that nobody has looked at, the terminal of the chat takes styles alone", async () => {
  const { bold } = createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true });
  expect(keepStyles(`${bold("a")}\n\t\u001b[2Jb`)).toBe(`${bold("a")}\n\t[2Jb`);
  await always((text) => {
    // oxlint-disable-next-line no-control-regex -- styles
    const shown = keepStyles(text).replaceAll(/\u001b\[[\d;]*m/g, "");
    // oxlint-disable-next-line no-control-regex -- these are what must not be left
    expect(shown).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
  });
});
