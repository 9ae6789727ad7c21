import { PassThrough } from "node:stream";

import { expect, test } from "vitest";

import { readApprovalSettings } from "../../src/approval/approval-settings.ts";
import { createUnattendedApproval } from "../../src/approval/unattended-approval.ts";
import type { CommandLineIO } from "../../src/cli/command-line-io.ts";
import { parseArguments } from "../../src/cli/parse-arguments.ts";
import { runPrompt } from "../../src/cli/run-prompt.ts";
import type { AgentModel } from "../../src/session/agent-model.ts";
import { startModelServer } from "../support/model-server.ts";
import { plainTool } from "../support/plain-tool.ts";
import type { Scratch } from "../support/scratch.ts";
import { createScratch } from "../support/scratch.ts";
import { scriptedModel, toolCall } from "../support/scripted-model.ts";

async function run(
  scratch: Scratch,
  model: AgentModel | undefined,
  words: readonly string[],
  input = "",
): Promise<{ status: number; stdout: string; stderr: string }> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const stdin = new PassThrough();
  stdin.end(input);
  const io = { stdin, stdout, stderr, env: scratch.env, platform: process.platform };
  const parsed = parseArguments(["--cwd", scratch.project, ...words]);
  if (parsed.kind !== "prompt") throw new Error(`not a prompt: ${parsed.kind}`);
  const status = await runPrompt(parsed, {
    io: io as unknown as CommandLineIO,
    signal: new AbortController().signal,
    ...(model === undefined ? {} : { model }),
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

const say = (text: string): AgentModel => scriptedModel([[{ type: "text", text }]]);

test("a prompt on standard input is answered like one on the command line", async () => {
  await using scratch = await createScratch();
  const model = scriptedModel([[{ type: "text", text: "Yes." }]]);
  expect(await run(scratch, model, ["-p", "-"], "two\nlines\n")).toMatchObject({ status: 0, stdout: "Yes.\n" });
  expect(model.requests[0]?.messages).toEqual([{ role: "user", content: "two\nlines\n" }]);
  expect(await run(scratch, say("no"), ["-p"], "")).toMatchObject({ status: 2, stdout: "" });
});

test("a prompt waits for servers whose tools nobody knows, and not for others", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools, delays: { initialize: 600 } } });
  const model = askingModel();
  expect(await run(scratch, model, ["-p", "go", "--yes"])).toMatchObject({ status: 0, stdout: "ran, ran\n" });
  // Now they are known: their calls wait for the server themselves.
  expect(await run(scratch, askingModel(), ["-p", "go", "--yes"])).toMatchObject({ status: 0, stdout: "ran, ran\n" });
});

test("a server that does not come in time is missed on stderr, and the prompt goes on", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools }, never: { neverAnswer: ["initialize"] }, bad: { exitAt: "start" } });
  const { status, stdout, stderr } = await run(scratch, askingModel(), ["-p", "go", "--yes", "--mcp-timeout", "500"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "ran, ran\n" });
  expect(stderr).toContain("never is missing: it was not ready within 500 ms (--mcp-timeout)");
  expect(stderr).toMatch(/bad.*exit/);
});

test("a server that is required and not there fails the prompt with its reason", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: { tools }, bad: { exitAt: "initialize" }, never: { neverAnswer: ["initialize"] } });
  await scratch.projectServers({ theirs: { tools } });
  const goWith = (name: string): ReturnType<typeof run> =>
    run(scratch, say("Yes."), ["-p", "go", "--require", name, "--mcp-timeout", "500"]);
  expect(await goWith("good")).toMatchObject({ status: 0, stdout: "Yes.\n" });
  for (const name of ["bad", "never", "unknown"]) {
    expect(await goWith(name)).toMatchObject({
      status: 1,
      stdout: "",
      stderr: expect.stringContaining(`The server ${name} is required and is not there: `),
    });
  }
  expect(await goWith("theirs")).toMatchObject({ status: 4 });
});

test("only the tools that are meant are offered", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools } });
  const model = askingModel();
  await run(scratch, model, ["-p", "go", "--yes", "--tools", "s.add"]);
  expect(model.requests[0]?.tools.map(({ name }) => name)).toEqual(["mcp_s_add"]);
});

test("the model of the settings answers over its provider's protocol, and its cost is told", async () => {
  await using scratch = await createScratch();
  await using server = await startModelServer("anthropic", [
    { answer: { calls: [{ id: "1", name: "mcp_s_echo", arguments: { text: "hi" } }] } },
    { answer: { text: ["It said ", "hi."] } },
  ]);
  await scratch.userServers({ s: { tools } });
  const prices = { "anthropic/some-model": { input: 3, output: 15 } };
  await scratch.write("home/.config/toolgate/config.json", {
    model: { name: "anthropic/some-model", baseUrls: { anthropic: server.url }, prices },
  });
  const env = { ...scratch.env, ANTHROPIC_API_KEY: "sk-the-key" };
  const { status, stdout, stderr } = await run({ ...scratch, env }, undefined, ["-p", "go"]);
  expect({ status, stdout }).toEqual({ status: 0, stdout: "It said hi.\n" });
  expect(stderr).toBe("● mcp_s_echo\n200 tokens in (80 cached), 14 out · 0.0008 USD\n");
  expect(server.requests.map(({ path }) => path)).toEqual(["/v1/messages", "/v1/messages"]);
});

test("a setting that names no model is status 1, and the key is in no output", async () => {
  await using scratch = await createScratch();
  await scratch.write("home/.config/toolgate/config.json", { model: "openai/x" });
  const result = await run(scratch, undefined, ["-p", "go", "--json"]);
  expect(result.status).toBe(1);
  expect(JSON.parse(result.stdout)).toEqual({ type: "error", message: "OpenAI needs a key: set OPENAI_API_KEY." });
});

test("what is said before a call, after it and at the end are lines of their own", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { tools } });
  const model = scriptedModel([
    [{ type: "text", text: "Let me " }, { type: "text", text: "look." }, toolCall("1", "mcp_s_echo", { text: "x" })],
    [
      { type: "warning", message: "careful" },
      { type: "text", text: "There it is.\n" },
    ],
  ]);
  expect(await run(scratch, model, ["-p", "go"])).toEqual({
    status: 0,
    stdout: "Let me look.\nThere it is.\n",
    stderr: "● mcp_s_echo\ncareful\n",
  });
});

test("what a prompt mentions goes with it; a mention that cannot be read is status 1, and nothing is sent", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ docs: { resources: [{ uri: "x://a", name: "a", text: "text of a" }] } });
  await scratch.write("project/notes.md", "my notes");
  const model = scriptedModel([[{ type: "text", text: "read" }]]);
  const answered = await run(scratch, model, ["-p", "sum up @docs:x://a and @notes.md"]);
  expect(answered).toMatchObject({ status: 0, stdout: "read\n" });
  expect(model.requests[0]?.messages).toMatchObject([
    {
      content: "sum up @docs:x://a and @notes.md",
      attachments: [{ resource: { text: "text of a" } }, { resource: { text: "my notes" } }],
    },
  ]);
  const failed = await run(scratch, model, ["-p", "@docs:x://b", "--quiet"]);
  expect(failed).toMatchObject({ status: 1, stdout: "" });
  expect(failed.stderr).toMatch(/^✗ @docs:x:\/\/b: .*not found.*\n$/);
  await scratch.userServers({ slow: { resources: [], waitForFile: { initialize: scratch.file("never") } } });
  const late = await run(scratch, model, ["-p", "@slow:x://c", "--mcp-timeout", "50", "--quiet"]);
  expect(late).toEqual({ status: 1, stdout: "", stderr: "✗ @slow:x://c: it was not there within 50 ms\n" });
  expect(model.requests).toHaveLength(1);
});
