import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { readApprovalSettings } from "../../src/approval/approval-settings.ts";
import { createUnattendedApproval } from "../../src/approval/unattended-approval.ts";
import type { CommandLineIO } from "../../src/cli/command-line-io.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";
import { runPrompt } from "../../src/cli/run-prompt.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import { plainTool } from "../support/plain-tool.ts";
import type { Scratch } from "../support/scratch.ts";
import { createScratch } from "../support/scratch.ts";
import { scriptedModel, toolCall } from "../support/scripted-model.ts";

async function run(
  scratch: Scratch,
  model: AgentModel,
  words: readonly string[],
): Promise<{ status: number; stdout: string; stderr: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io = { stdin: new PassThrough(), stdout, stderr, env: scratch.env, platform: process.platform };
  const parsed = parseArguments(["--cwd", scratch.project, ...words]);
  if (parsed.kind !== "prompt") throw new Error(`not a prompt: ${parsed.kind}`);
  const status = await runPrompt(parsed, {
    io: io as unknown as CommandLineIO,
    signal: new AbortController().signal,
    model,
  });
  return { status, stdout: String(stdout.read() ?? ""), stderr: String(stderr.read() ?? "") };
}

const schema = { inputSchema: { type: "object" } };
const tools = [
  { name: "echo", ...schema, annotations: { readOnlyHint: true } },
  { name: "add", ...schema },
];

function askingModel() {
  return scriptedModel([
    [toolCall("1", "mcp_s_echo", { text: "read" }), toolCall("2", "mcp_s_add", { a: 1, b: 2 })],
    ({ messages }) => [
      {
        type: "text",
        text: messages
          .flatMap((message) => (message.role === "tool" ? [message.result.isError ? "refused" : "ran"] : []))
          .join(", "),
      },
    ],
  ]);
}

test("the answer is on stdout; what only reads runs, everything else needs a permission", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools } });
  const plain = await run(scratch, askingModel(), ["-p", "go"]);
  expect(plain).toMatchObject({ status: 0, stdout: "ran, refused\n" });
  expect(plain.stderr).toContain("mcp_s_echo");
  expect(await run(scratch, askingModel(), ["-p", "go", "--allow", "mcp_s_*", "--quiet"])).toEqual({
    status: 0,
    stdout: "ran, ran\n",
    stderr: "",
  });
  expect((await run(scratch, askingModel(), ["-p", "go", "--yes"])).stdout).toBe("ran, ran\n");
});

test("a project's server that is not approved gives a prompt no tools", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({ s: { tools } });
  const model = askingModel();
  expect(await run(scratch, model, ["-p", "go", "--yes"])).toMatchObject({ stdout: "refused, refused\n" });
  expect(model.requests[0]?.tools.filter(({ name }) => name.startsWith("mcp_"))).toEqual([]);
});

test("the model has the native tools as well, unless the user's settings say otherwise", async () => {
  await using scratch = await createScratch();
  const model = () => scriptedModel([[toolCall("1", "bash", { command: "true" })], [{ type: "text", text: "done" }]]);
  const [first, second] = [model(), model()];
  await run(scratch, first, ["-p", "go"]);
  expect(first.requests[0]?.tools.map(({ name }) => name)).toContain("bash");
  expect(JSON.stringify(first.requests[1]?.messages)).toContain("bash was not run: it needs approval");
  await scratch.write("home/.config/toolgate/config.json", { tools: { native: false } });
  await run(scratch, second, ["-p", "go", "--yes"]);
  expect(second.requests[0]?.tools).toEqual([]);
});

test("with --json each event is one line", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools } });
  const { stdout, status } = await run(scratch, askingModel(), ["-p", "go", "--json"]);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as { type: string });
  expect(status).toBe(0);
  expect(events.map((event) => event.type).toSorted()).toEqual([
    "done",
    "text",
    "tool-call",
    "tool-call",
    "tool-result",
    "tool-result",
  ]);
});

test("a model that fails is status 1", async () => {
  await using scratch = await createScratch();
  const model = scriptedModel([() => Promise.reject(new Error("rate limit"))]);
  expect(await run(scratch, model, ["-p", "go"])).toMatchObject({
    status: 1,
    stdout: "",
    stderr: expect.stringContaining("rate limit"),
  });
});

test("permissions are names or globs, in any form that names a tool", async () => {
  const writes = plainTool("mcp_s_write");
  const reads = plainTool("mcp_s_read", { annotations: { readOnlyHint: true } });
  const signal = new AbortController().signal;
  const allows = async (allow: string[], yes = false): Promise<boolean[]> => {
    const { mayRun } = createUnattendedApproval({ allow, yes }, readApprovalSettings(undefined));
    const decisions = await Promise.all([reads, writes].map(async (tool) => mayRun(tool, {}, { signal })));
    return decisions.map((decision) => decision === true);
  };
  expect(await allows([])).toEqual([true, false]);
  expect(await allows(["mcp_other_*"])).toEqual([true, false]);
  expect(await allows(["mcp_s_w*"])).toEqual([true, true]);
  expect(await allows(["mcp_s_write"])).toEqual([true, true]);
  expect(await allows([], true)).toEqual([true, true]);
});
