import type { ToolResult } from "@toolgate/contracts";
import { expect, test } from "vitest";

import type { ChatTerminal } from "../../../src/chat/chat-terminal.ts";
import { KeptOutputs } from "../../../src/chat/turn/kept-outputs.ts";
import { createTurnView } from "../../../src/chat/turn/turn-view.ts";
import type { AgentEvent } from "../../../src/session/agent-event.ts";
import { createStyle, plainStyle } from "../../../src/terminal/style.ts";
import { createManualClock } from "../../support/manual-clock.ts";
import { createScriptedTerminal } from "../../support/scripted-terminal.ts";

function openTurn(
  options: Partial<Pick<ChatTerminal, "isInteractive" | "canRedraw" | "columns">> & { isColored?: boolean } = {},
) {
  const { isColored = false, ...abilities } = options;
  const terminal = createScriptedTerminal(abilities);
  const clock = createManualClock();
  const outputs = new KeptOutputs();
  const style = isColored ? createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true }) : plainStyle;
  const view = createTurnView({ terminal, style, outputs, clock });
  return { terminal, clock, outputs, view };
}

const dumb = { canRedraw: false };
const pipe = { isInteractive: false, canRedraw: false };
const done: AgentEvent = { type: "done", reason: "answered", steps: 1 };

function text(piece: string): AgentEvent {
  return { type: "text", text: piece };
}

function call(id: string, name: string, args: Record<string, unknown> = {}): AgentEvent {
  return { type: "tool-call", call: { id, name, arguments: args } };
}

function progress(id: string, values: { progress: number; total?: number; message?: string }): AgentEvent {
  return { type: "tool-progress", toolCallId: id, progress: values };
}

function result(id: string, answer: string, { isError = false, durationMs = 1200 } = {}): AgentEvent {
  const content: ToolResult["content"] = [{ type: "text", text: answer }];
  const details = { tool: "t", durationMs, server: "s" };
  return { type: "tool-result", toolCallId: id, toolName: "t", result: { content, isError, details } };
}

test("while nothing has come, the model is waited for; what it says takes the place of that", () => {
  const { terminal, clock, view } = openTurn();
  expect(terminal.live).toEqual(["… waiting for the model  0 s"]);
  clock.pass(65_000);
  expect(terminal.live).toEqual(["… waiting for the model  1 min 5 s"]);
  view.show(text("Hello **there**"));
  clock.pass(125);
  expect(terminal.live).toEqual(["Hello **there**"]);
  view.show(text(".\n\nMore"));
  expect([terminal.text, terminal.live]).toEqual(["Hello there.\n", ["More"]]);
  clock.pass(3000);
  expect(terminal.live).toEqual(["More", "… waiting for the model  3 s"]);
  view.show(done);
  view.end();
  expect([terminal.text, terminal.live]).toEqual(["Hello there.\n\nMore\n68 s\n", []]);
});

test("reasoning is not shown, only that there is some and how much", () => {
  const { terminal, clock, view } = openTurn();
  clock.pass(1000);
  for (const piece of ["I wo", "nder what", " this", " is"]) view.show({ type: "reasoning", text: piece });
  clock.pass(2000);
  expect(terminal.live).toEqual(["… thinking, 5 words  2 s"]);
  view.show(text("It is this."));
  view.end();
  expect(terminal.text).toBe("It is this.\n3.0 s\n");
});

test("each call that runs has a line with its time and how far it says that it has got", () => {
  const { terminal, clock, view } = openTurn();
  view.show(call("1", "mcp_s_index", { path: "." }));
  view.show(call("2", "task", { prompt: "look" }));
  clock.pass(2000);
  view.show(progress("1", { progress: 3, total: 10, message: "reading\nfiles" }));
  view.show(progress("2", { progress: 1, message: "task: read" }));
  clock.pass(1000);
  expect(terminal.live).toEqual(["… mcp_s_index  3 s  ▓▓▓░░░░░░░ 30%  reading files", "… task  3 s  task: read"]);
  view.show(result("2", "Looked."));
  expect(terminal.live).toEqual(["… mcp_s_index  3 s  ▓▓▓░░░░░░░ 30%  reading files"]);
  view.show(progress("1", { progress: Number.NaN, total: 5, message: `\u001b[2J${"long ".repeat(40)}` }));
  clock.pass(1000);
  expect(terminal.live[0]).toMatch(/^… mcp_s_index {2}4 s {2}░{10} 0% {2}long long.*…$/);
  expect(terminal.live[0]).toHaveLength(79);
  view.show(result("1", "10 files"));
  expect(terminal.live).toEqual(["… waiting for the model  0 s"]);
  expect(terminal.text).toMatch(
    /^● task prompt=look .* {2}1\.2 s {2}1 line\n {2}Looked\.\n● mcp_s_index path=\. .*\n {2}10 files\n$/,
  );
});

test("many calls that run at once take seven lines", () => {
  const { terminal, clock, view } = openTurn();
  for (let id = 1; id <= 9; id += 1) view.show(call(String(id), `tool${id}`));
  clock.pass(125);
  expect(terminal.live).toHaveLength(7);
  expect(terminal.live.slice(-2)).toEqual(["… tool6  0 s", "  … and 3 more"]);
});

test("the screen is drawn anew eight times a second at most, however much happens, and not when nothing has changed", () => {
  const { terminal, clock, view } = openTurn();
  view.show(call("1", "t"));
  for (let count = 1; count <= 1000; count += 1) {
    view.show(progress("1", { progress: count, total: 1000 }));
    clock.pass(1);
  }
  expect(terminal.redraws).toBeLessThanOrEqual(10);
  const before = terminal.redraws;
  clock.pass(500);
  expect(terminal.redraws).toBe(before);
});

test("something moves only where colour is wanted", () => {
  const { terminal, clock } = openTurn({ isColored: true });
  const first = terminal.live[0];
  clock.pass(125);
  expect(terminal.live[0]).not.toBe(first);
});

test("what the model says and what its tools do stand apart", () => {
  const { terminal, view } = openTurn();
  const events = [
    text("Let me look."),
    call("1", "a"),
    result("1", "1"),
    call("2", "b"),
    result("2", "2"),
    text("Done."),
  ];
  for (const event of [...events, done]) view.show(event);
  expect(terminal.text.replaceAll(/ {2,}/g, " ")).toBe(
    "Let me look.\n\n● a 1.2 s 1 line\n 1\n● b 1.2 s 1 line\n 2\n\nDone.\n",
  );
});

test("a long output is folded, and /output has it whole", () => {
  const { terminal, outputs, view } = openTurn();
  const lines = Array.from({ length: 10 }, (_, index) => `line ${index + 1}`).join("\n");
  view.show(call("1", "mcp_s_big"));
  view.show(result("1", lines));
  expect(terminal.text).toContain("  line 5\n  … 5 more lines (/output)\n");
  expect(outputs.show("")).toBe(`mcp_s_big\n${lines}`);
});

test("warnings and errors have signs, are wrapped, and carry nothing but text", () => {
  const { terminal, view } = openTurn({ columns: 20 });
  view.show({ type: "warning", message: "Tools were left\u001b[2J out of the request." });
  view.show(text("half of an ans"));
  view.show({ type: "error", message: "scripted failed: rate limit" });
  view.end();
  expect(terminal.text).toBe(
    "! Tools were left\n  out of the\n  request.\n\nhalf of an ans\n✗ scripted failed:\n  rate limit\n0 ms\n",
  );
});

test("a warning stands below what the model had said by then", () => {
  const { terminal, view } = openTurn();
  view.show(text("Half of an ans"));
  view.show({ type: "warning", message: "It was cut off." });
  view.show(done);
  view.end();
  expect(terminal.text).toBe("Half of an ans\n! It was cut off.\n0 ms\n");
});

test("a turn in which the model said nothing says that", () => {
  const { terminal, view } = openTurn();
  view.show(done);
  view.end();
  expect(terminal.text).toBe("· The model said nothing.\n0 ms\n");
});

test("a turn that was stopped for its length says so", () => {
  const { terminal, view } = openTurn();
  view.show({ type: "done", reason: "limit", steps: 50 });
  expect(terminal.text).toBe("! Stopped after 50 steps.\n");
});

test("the end of a turn says what it took, once", () => {
  const { terminal, clock, view } = openTurn();
  const cost = { amount: 0.0002, currency: "EUR" };
  view.show({ type: "usage", usage: { inputTokens: 100, outputTokens: 7, cost } });
  clock.pass(1500);
  view.end();
  view.end();
  expect(terminal.text).toBe("1.5 s · 100 tokens in, 7 out · 0.0002 EUR\n");
  expect(clock.waiting).toBe(0);
});

test("a turn that is left in the middle keeps what was said, names what was running, and leaves nothing behind", () => {
  const { terminal, clock, view } = openTurn({ columns: 39 });
  view.show(text("I will now"));
  view.show(call("1", "hang", { long: true }));
  clock.pass(2500);
  view.end();
  expect([terminal.live, clock.waiting]).toEqual([[], 0]);
  expect(terminal.text).toBe("I will now\n\n✗ hang long=true     2.5 s  interrupted\n2.5 s\n");
});

test("a terminal of one column gets the whole turn too", () => {
  const { terminal, clock, view } = openTurn({ columns: 1 });
  view.show(text("# Title\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n---\n\n> > - deep\n"));
  view.show(call("1", "mcp_s_tool_with_a_long_name", { path: "." }));
  clock.pass(1000);
  view.show(result("1", "fine", { isError: true }));
  view.show({ type: "warning", message: "careful" });
  view.end();
  for (const piece of ["# Title", "deep", "✗ mcp_s", "fine", "! careful"]) expect(terminal.text).toContain(piece);
});

test("a terminal that cannot draw gets lines: a call's begin, its progress every five seconds, its end", () => {
  const { terminal, clock, view } = openTurn(dumb);
  view.show(call("1", "mcp_s_index", { path: "." }));
  for (let step = 1; step <= 12; step += 1) {
    view.show(progress("1", { progress: step, total: 12, message: `step ${step}` }));
    clock.pass(1000);
  }
  view.show(result("1", "12 files"));
  view.show(text("# Done\n"));
  view.show(done);
  expect(terminal.redraws).toBe(0);
  expect(clock.waiting).toBe(0);
  expect(terminal.text.split("\n")).toEqual([
    "● mcp_s_index path=.",
    "  ▓░░░░░░░░░ 8%  step 1",
    "  ▓▓▓▓▓░░░░░ 50%  step 6",
    "  ▓▓▓▓▓▓▓▓▓░ 92%  step 11",
    "● mcp_s_index  1.2 s  1 line",
    "  12 files",
    "",
    "# Done",
    "",
  ]);
});

test("a pipe gets the answer as the model writes it, and a line for each call", () => {
  const { terminal, view } = openTurn(pipe);
  const events = [
    text("**Let** me\u001b[2J look"),
    call("1", "a", { path: "." }),
    progress("1", { progress: 1, message: "half way" }),
    result("1", "nothing here", { isError: true }),
    call("2", "b"),
    result("2", "fine"),
    { type: "warning", message: "slow" } as const,
    text("- do"),
    text("ne"),
  ];
  for (const event of [...events, done]) view.show(event);
  view.end();
  expect(terminal.text).toBe("**Let** me look\n● a\n  half way\nnothing here\n● b\nslow\n- done\n");
  expect(terminal.redraws).toBe(0);
});
