import { stat, writeFile } from "node:fs/promises";

import { expect, test } from "vitest";

import type { ApprovalMode } from "../../src/approval/approval-mode.ts";
import { readApprovalSettings } from "../../src/approval/approval-settings.ts";
import type { AskPerson } from "../../src/approval/create-approval.ts";
import { createApproval } from "../../src/approval/create-approval.ts";
import { createRememberedTools } from "../../src/approval/remembered-tools.ts";
import { createUnattendedApproval } from "../../src/approval/unattended-approval.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { ToolDecision } from "../../src/session/session-call-context.ts";
import { plainTool } from "../support/plain-tool.ts";
import type { Scratch } from "../support/scratch.ts";
import { createRecordingLogger, createScratch } from "../support/scratch.ts";
import { collect, scriptedModel, toolCall } from "../support/scripted-model.ts";

const { signal } = new AbortController();
const reads = plainTool("reads", { annotations: { readOnlyHint: true } });
const writes = plainTool("writes");

/** A person whose answers are given, and the questions that were asked. */
function person(...answers: string[]): { ask: AskPerson; questions: string[] } {
  const questions: string[] = [];
  return {
    questions,
    ask: async (question) => {
      questions.push(question);
      return answers[questions.length - 1] ?? "";
    },
  };
}

const rules = { allow: [], ask: [], deny: [] };
const refused = (reason: string): ToolDecision => ({ allowed: false, reason });

function rememberedIn(scratch: Scratch, project = scratch.project) {
  return createRememberedTools({ ...scratch, platform: "linux", project });
}

test.each<[ApprovalMode, string[]]>([
  ["ask", ["reads", "writes"]],
  ["read-only", ["writes"]],
  ["never-ask", []],
])("in the mode %s a person is asked about %j", async (mode, asked) => {
  const { ask, questions } = person("y", "y");
  const approval = createApproval({ mode, rules, ask });
  for (const tool of [reads, writes]) {
    // oxlint-disable-next-line no-await-in-loop -- one question after the other
    expect(await approval.mayRun(tool, {}, { signal })).toBe(true);
  }
  expect(questions.map((question) => question.split(" ", 1)[0])).toEqual(asked);
});

test("a question shows what would run, and nothing that moves the cursor", async () => {
  const { ask, questions } = person("y");
  const approval = createApproval({ rules, ask });
  await approval.mayRun(writes, { command: "rm -r \u001B[2Kx\ny", n: 1 }, { signal });
  expect(questions[0]).toBe(
    "writes wants to run\n  command: rm -r x\n    y\n  n: 1\nRun it? [y] once, [a] always for this tool in this project, [n] no, or why not: ",
  );
});

test("of a long argument it is said how much is not shown", async () => {
  const { ask, questions } = person("y", "y");
  const approval = createApproval({ rules, ask });
  await approval.mayRun(writes, { content: "x".repeat(5000) }, { signal });
  await approval.mayRun(writes, { content: "x\n".repeat(100) }, { signal });
  expect(questions[0]).toContain("x… (1000 more characters)\n");
  expect(questions[1]).toContain("x… (141 more characters)\n");
});

test("no is no, with the reason if there is one; what is not understood is no as well", async () => {
  const { ask } = person("n", "No, use the other file", "what?", "");
  const approval = createApproval({ rules, ask });
  const decide = () => approval.mayRun(writes, {}, { signal });
  expect(await decide()).toEqual(refused("the person said no."));
  expect(await decide()).toEqual(refused("the person said: use the other file"));
  expect(await decide()).toEqual(refused("the person said: what?"));
  expect(await decide()).toEqual(refused("the person said no."));
});

test("always is remembered for this tool in this project, for the owner alone, and can be forgotten", async () => {
  await using scratch = await createScratch();
  const { ask, questions } = person("a");
  const remembered = rememberedIn(scratch);
  await createApproval({ rules, ask, remembered }).mayRun(writes, {}, { signal });
  expect((await stat(remembered.path)).mode & 0o777).toBe(0o600);
  expect(remembered.path.startsWith(scratch.project)).toBe(false);

  const later = createApproval({ rules, ask, remembered: rememberedIn(scratch) });
  expect(await later.mayRun(writes, {}, { signal })).toBe(true);
  expect(questions).toHaveLength(1);
  expect(await later.mayRun(reads, {}, { signal })).toEqual(refused("the person said no."));
  const elsewhere = createApproval({ rules, ask, remembered: rememberedIn(scratch, scratch.home) });
  expect(await elsewhere.mayRun(writes, {}, { signal })).toEqual(refused("the person said no."));
  expect(await remembered.clear()).toBe(1);
  expect(await remembered.list()).toEqual([]);
});

test("a damaged file remembers nothing, and says so", async () => {
  await using scratch = await createScratch();
  const logger = createRecordingLogger();
  const remembered = createRememberedTools({ ...scratch, platform: "linux", project: scratch.project, logger });
  await remembered.allow("writes");
  await writeFile(remembered.path, "{");
  expect(await remembered.list()).toEqual([]);
  expect(logger.lines).toEqual([expect.stringContaining("you are asked again")]);
});

test("of the rules deny wins, whatever else is said, and ask wins over allow and over what is remembered", async () => {
  await using scratch = await createScratch();
  const { ask, questions } = person("y");
  const remembered = rememberedIn(scratch);
  await remembered.allow("b_asked");
  const approval = createApproval({
    mode: "never-ask",
    rules: { allow: ["*"], ask: ["b_*"], deny: ["a_*"] },
    remembered,
    ask,
  });
  const decide = (name: string) => approval.mayRun(plainTool(name), {}, { signal });
  expect(await decide("a_denied")).toEqual(refused("the rule deny a_* forbids it."));
  expect(await decide("b_asked")).toBe(true);
  expect(questions).toEqual([]);
  approval.mode = "ask";
  expect(await decide("a_denied")).toEqual(refused("the rule deny a_* forbids it."));
  expect(await decide("c_allowed")).toBe(true);
  expect(questions).toEqual([]);
  await decide("b_asked");
  expect(questions).toHaveLength(1);
});

test("where nobody can be asked, what only reads runs, and what was allowed", async () => {
  const settings = readApprovalSettings({ mode: "ask", allow: ["w*"], deny: ["never"] });
  const { mayRun, approveOutside } = createUnattendedApproval({ allow: [], yes: false }, settings);
  expect(await mayRun(reads, {}, { signal })).toBe(true);
  expect(await mayRun(writes, {}, { signal })).toBe(true);
  expect(await mayRun(plainTool("x"), {}, { signal })).toEqual(
    refused("it needs approval, and nobody can be asked here."),
  );
  expect(await approveOutside({ tool: "write", path: "/x" })).toBe(false);
  const all = createUnattendedApproval({ allow: [], yes: true }, settings);
  expect(await all.mayRun(plainTool("x"), {}, { signal })).toBe(true);
  expect(await all.mayRun(plainTool("never"), {}, { signal })).toEqual(refused("the rule deny never forbids it."));
  expect(await all.approveOutside({ tool: "write", path: "/x" })).toBe(true);
});

test("settings that cannot be used are named, and the others count", () => {
  expect(readApprovalSettings("read-only")).toEqual({ mode: "read-only", rules, problems: [] });
  const { mode, rules: read, problems } = readApprovalSettings({ mode: "yolo", allow: "x", deny: ["y"] });
  expect([mode, read]).toEqual([undefined, { ...rules, deny: ["y"] }]);
  expect(problems).toEqual([expect.stringContaining("approval.mode"), expect.stringContaining("approval.allow")]);
});

test("calls that run at once are asked about one after the other, and one answer may serve them all", async () => {
  await using scratch = await createScratch();
  const { ask, questions } = person("a", "n because");
  const approval = createApproval({ rules, ask, remembered: rememberedIn(scratch) });
  const model = scriptedModel([
    [toolCall("1", "writes"), toolCall("2", "writes"), toolCall("3", "other")],
    [{ type: "text", text: "done" }],
  ]);
  const { session: created } = await createAgentSession({
    enableMCP: false,
    model,
    tools: [writes, plainTool("other")],
    mayRun: approval.mayRun,
  });
  await using session = created;
  const results = (await collect(session.prompt("go"))).filter((event) => event.type === "tool-result");
  expect(questions).toHaveLength(2);
  expect(Object.fromEntries(results.map(({ toolCallId, result }) => [toolCallId, result.content[0]]))).toEqual({
    1: { type: "text", text: "writes" },
    2: { type: "text", text: "writes" },
    3: { type: "text", text: "other was not run: the person said: because" },
  });
});

test("an abort takes the question back, and the prompt with it", async () => {
  const controller = new AbortController();
  const approval = createApproval({
    rules,
    ask: (_question, asking) =>
      new Promise((_resolve, reject) => {
        asking.addEventListener("abort", () => reject(asking.reason as Error), { once: true });
        controller.abort();
      }),
  });
  const model = scriptedModel([[toolCall("1", "writes")]]);
  const { session: created } = await createAgentSession({
    enableMCP: false,
    model,
    tools: [writes],
    mayRun: approval.mayRun,
  });
  await using session = created;
  await expect(collect(session.prompt("go", { signal: controller.signal }))).rejects.toMatchObject({
    name: "AbortError",
  });
});

test("tools of servers are asked about like any other, by the name of their server too", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  const approval = createApproval({ rules: { ...rules, deny: ["one.e*"], allow: ["one/add"] } });
  const model = scriptedModel([
    [toolCall("1", "mcp_one_echo", { text: "x" }), toolCall("2", "mcp_one_add", { a: 1, b: 2 })],
    [{ type: "text", text: "done" }],
  ]);
  const { session: created } = await createAgentSession({ ...scratch.session, model, mayRun: approval.mayRun });
  await using session = created;
  const results = (await collect(session.prompt("go"))).filter((event) => event.type === "tool-result");
  expect(Object.fromEntries(results.map(({ toolCallId, result }) => [toolCallId, result.isError]))).toEqual({
    1: true,
    2: false,
  });
});
