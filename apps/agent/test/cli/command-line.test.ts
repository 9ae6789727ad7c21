import { readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { fixtureServer, processIsAlive, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import type { Json } from "../support/run-toolgate.ts";
import { endOf, runToolgate, startToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

test("the version is answered at once", async () => {
  await using scratch = await createScratch();
  const { stdout, status } = await runToolgate(scratch, ["--version"]);
  expect({ stdout, status }).toEqual({ stdout: "0.0.0\n", status: 0 });
});

test("list shows every server with its state and ends well", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    good: {},
    bad: { exitAt: "start", exitCode: 3, stderr: "missing FOO\n" },
    off: { entry: { command: "node", enabled: false } },
    invalid: { entry: { type: "http", url: "not a url" } },
  });
  await scratch.projectServers({ theirs: {}, good: {} });
  const list = await runToolgate(scratch, ["mcp", "list", "--json"]);
  expect(list.status).toBe(0);
  const document = list.json();
  expect(document.servers.map((server: Json) => [server.name, server.status])).toEqual([
    ["bad", "failed"],
    ["good", "needs-approval"],
    ["off", "disabled"],
    ["theirs", "needs-approval"],
  ]);
  expect(document.servers[0]).toMatchObject({
    transport: "stdio",
    tools: 0,
    cached: false,
    source: { provider: "cursor", providerName: "Cursor", level: "user" },
    error: { code: "SERVER_EXITED", message: expect.stringContaining("missing FOO") },
  });
  expect(document.shadowed).toMatchObject([
    { name: "good", source: { provider: "cursor" }, shadowedBy: { provider: "mcp-json" } },
  ]);
  expect(document.warnings).toMatchObject([{ server: "invalid", message: expect.stringContaining("not a URL") }]);

  expect(document.servers[0].durations).toMatchObject({ queue: expect.any(Number), spawn: expect.any(Number) });

  const text = await runToolgate(scratch, ["mcp", "list"]);
  expect(text.stdout).toContain("Cursor · ~/.cursor/mcp.json");
  expect(text.stdout).toMatch(/✗ bad +failed +after \d/);
  expect(text.stdout).toMatch(/! theirs +needs approval +\S*node/);
  expect(text.stdout).toContain("toolgate mcp trust theirs");
  // oxlint-disable-next-line no-control-regex -- no colour in a pipe
  expect(text.stdout).not.toMatch(/\u001b/);
});

test("list waits for every server, and with a startup timeout shows what is still connecting", async () => {
  await using scratch = await createScratch();
  const gate = scratch.file("gate");
  await scratch.userServers({ late: { waitForFile: { initialize: gate } } });
  const pending = await runToolgate(scratch, ["mcp", "list", "--json", "--startup-timeout", "0"]);
  expect(pending.json().servers).toMatchObject([{ name: "late", status: "connecting", tools: 0 }]);
  const waiting = endOf(startToolgate(scratch, ["mcp", "list", "--json"]));
  await scratch.write("gate", "");
  expect((await waiting).json().servers).toMatchObject([{ name: "late", status: "connected", tools: 11 }]);
  const cached = await runToolgate(scratch, ["mcp", "tools", "--json", "--startup-timeout", "0"]);
  expect(cached.json().tools[0]).toMatchObject({ name: "mcp_late_add", server: "late", tool: "add", cached: true });
});

test("tools are listed with what a caller needs; a named server's failure is the command's", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {}, bad: { exitAt: "start" } });
  await scratch.projectServers({ theirs: {} });
  const all = await runToolgate(scratch, ["mcp", "tools", "--json"]);
  expect(all.status).toBe(0);
  expect(all.json().tools.find((tool: Json) => tool.tool === "add")).toEqual({
    name: "mcp_good_add",
    server: "good",
    tool: "add",
    description: "The fixture's add",
    parameters: expect.objectContaining({ type: "object", required: ["a", "b"] }),
    cached: false,
  });
  expect(all.json().errors.map((error: Json) => [error.server, error.code])).toEqual([
    ["bad", "SERVER_EXITED"],
    ["theirs", "NOT_TRUSTED"],
  ]);
  const statuses = await Promise.all(
    ["good", "bad", "theirs", "nobody"].map(async (server) => {
      const { status, json } = await runToolgate(scratch, ["mcp", "tools", server, "--json"]);
      return [server, status, json().errors.length];
    }),
  );
  expect(statuses).toEqual([
    ["good", 0, 0],
    ["bad", 1, 1],
    ["theirs", 4, 1],
    ["nobody", 1, 1],
  ]);
});

test("a call gives the tool's result, however tool and arguments are written", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  const sum = { isError: false, structuredContent: { sum: 42 }, details: { server: "s", tool: "add" } };
  const calls = await Promise.all(
    [
      ["mcp_s_add", "a=2", "b=40"],
      ["s.add", "a=2", "b=40"],
      ["s/add", "--args", '{"a":2,"b":40}'],
      ["mcp__s__add", "a=2", "--args", "-"],
    ].map((words) => runToolgate(scratch, ["mcp", "call", ...words, "--json"], { input: '{"b":40}' })),
  );
  for (const call of calls) {
    expect(call.json()).toMatchObject(sum);
    expect(call.status).toBe(0);
  }
  const text = await runToolgate(scratch, ["mcp", "call", "s.echo", "text=two words"]);
  expect(text).toMatchObject({ status: 0, stdout: "two words\n" });
});

test("a call ends with a status that says who failed", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {}, bad: { exitAt: "start" } });
  await scratch.projectServers({ theirs: {} });
  const failed = await runToolgate(scratch, ["mcp", "call", "s.fail", "--json"]);
  expect(failed.status).toBe(1);
  expect(failed.json()).toMatchObject({ isError: true, content: [{ text: "the tool says no" }] });
  const untrusted = await runToolgate(scratch, ["mcp", "call", "mcp_theirs_echo", "text=x", "--json"]);
  expect(untrusted.status).toBe(4);
  expect(untrusted.json()).toMatchObject({ isError: true, details: { server: "theirs", errorCode: "NOT_TRUSTED" } });
  const broken = await runToolgate(scratch, ["mcp", "call", "bad.echo", "--json"]);
  expect(broken.status).toBe(1);
  expect(broken.json().details.errorCode).toBe("SERVER_EXITED");
  const unknown = await runToolgate(scratch, ["mcp", "call", "s.nope", "--json"]);
  expect(unknown.status).toBe(1);
  expect(unknown.json()).toMatchObject({
    content: [{ text: expect.stringContaining("mcp_s_echo") }],
    details: { errorCode: "TOOL_NOT_FOUND" },
  });
  const unusable = await runToolgate(scratch, ["mcp", "call", "s.add", "a=many", "--json"]);
  expect(unusable.status).toBe(2);
  expect(unusable.json()).toMatchObject({ error: { code: "USAGE", message: expect.stringContaining("a must be") } });
});

test("sources shows what is configured with every secret masked, and starts nothing", async () => {
  await using scratch = await createScratch();
  const pidFile = scratch.file("pid");
  await scratch.write("home/.cursor/mcp.json", {
    mcpServers: {
      local: { command: "node", args: ["--flag"], env: { TOKEN: SECRET, PLAIN: "also hidden" } },
      remote: { url: `https://user:${SECRET}@x.test/mcp?api_key=${SECRET}&page=2`, headers: { "X-Key": SECRET } },
      off: { command: "node", disabled: true },
      odd: 3,
    },
  });
  await scratch.projectServers({ theirs: { pidFile } });
  const result = await runToolgate(scratch, ["mcp", "sources", "--json"]);
  expect(result.status).toBe(0);
  expect(result.stdout + result.stderr).not.toContain(SECRET);
  const document = result.json();
  const byName: Json = Object.fromEntries(document.servers.map((server: Json) => [server.name, server]));
  expect(byName.local).toMatchObject({
    enabled: true,
    transport: "stdio",
    config: { command: "node", args: ["--flag"], env: { TOKEN: "***", PLAIN: "***" } },
    source: { provider: "cursor", level: "user" },
  });
  expect(byName.remote.config.url).toBe("https://user:***@x.test/mcp?api_key=***&page=2");
  expect(byName.remote.config.headers).toEqual({ "X-Key": "***" });
  expect(byName.off.enabled).toBe(false);
  expect(document.warnings).toEqual([expect.objectContaining({ message: expect.stringContaining("odd") })]);
  const ids = document.providers.map((provider: Json) => provider.id);
  expect(ids).toEqual(expect.arrayContaining(["toolgate", "claude-code", "codex", "cursor", "vscode", "mcp-json"]));
  expect(document.providers[0]).toMatchObject({
    id: "toolgate",
    displayName: "Toolgate",
    priority: 100,
    files: expect.arrayContaining([expect.objectContaining({ level: "user", exists: false })]),
  });
  await expect(stat(pidFile)).rejects.toMatchObject({ code: "ENOENT" });
  const text = await runToolgate(scratch, ["mcp", "sources"]);
  expect(text.stdout).toContain("local");
  expect(text.stdout).not.toContain(SECRET);
});

test("resources and prompts are listed and read", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    s: { resources: [{ uri: "note://1", name: "one", text: "hello" }], prompts: [{ name: "greet" }] },
    plain: {},
  });
  const run = async (...words: string[]): Promise<Json> => {
    const result = await runToolgate(scratch, ["mcp", ...words, "--json"]);
    return { status: result.status, ...result.json() };
  };
  expect(await run("resources")).toMatchObject({
    status: 0,
    resources: [{ server: "s", uri: "note://1", name: "one", address: "s:note://1" }],
    errors: [],
  });
  const read = { status: 0, server: "s", contents: [{ uri: "note://1", text: "hello" }] };
  expect(await run("read", "note://1")).toMatchObject(read);
  expect(await run("read", "s", "note://1")).toMatchObject(read);
  expect(await run("read", "s:note://1")).toMatchObject(read);
  expect(await run("resources", "nobody")).toMatchObject({ status: 1, errors: [{ server: "nobody" }] });
  expect(await run("read", "note://none")).toMatchObject({ status: 1, error: { code: "SERVER_ERROR" } });
  expect(await run("prompts", "s")).toMatchObject({ status: 0, prompts: [{ server: "s", name: "greet" }] });
  expect(await run("prompt", "s", "greet", "who=1")).toMatchObject({
    status: 0,
    messages: [{ role: "user", content: { text: 'greet {"who":"1"}' } }],
  });
});

test("test shows the steps of a start, and what a failed one wrote", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {}, bad: { exitAt: "initialize", exitCode: 5, stderr: "no database\n" } });
  const good = await runToolgate(scratch, ["mcp", "test", "good", "--json"]);
  expect(good.status).toBe(0);
  expect(good.json().servers).toMatchObject([
    { name: "good", status: "connected", tools: 11, serverInfo: { name: "fixture" }, durations: {}, timeline: {} },
  ]);
  const bad = await runToolgate(scratch, ["mcp", "test", "bad"]);
  expect(bad.status).toBe(1);
  expect(bad.stdout).toContain("no database");
  expect((await runToolgate(scratch, ["mcp", "test", "nobody"])).status).toBe(1);
});

test("doctor names what is wrong and how to mend it; only errors make it fail", async () => {
  await using scratch = await createScratch();
  const healthy = await runToolgate(scratch, ["mcp", "doctor", "--json"]);
  expect(healthy.status).toBe(0);
  expect(healthy.json().summary).toMatchObject({ errors: 0 });

  const vscode = await scratch.write("project/.vscode/mcp.json", '{ "servers": {\n  "x": { "command": }\n} }');
  await scratch.userServers({
    lost: { entry: { command: "no-such-command-anywhere" } },
    unset: { entry: { command: "node", env: { A: "${env:TOOLGATE_UNSET_VARIABLE}" } } },
    good: {},
  });
  const result = await runToolgate(scratch, ["mcp", "doctor", "--json"]);
  expect(result.status).toBe(1);
  const { findings, summary } = result.json();
  expect(summary.errors).toBe(2);
  expect(findings).toContainEqual(expect.objectContaining({ level: "error", path: vscode, line: 2 }));
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: "error",
      server: "lost",
      message: expect.stringContaining("searched:"),
      fix: expect.stringContaining("Install no-such-command-anywhere"),
    }),
  );
  expect(findings).toContainEqual(
    expect.objectContaining({
      level: "warning",
      server: "unset",
      message: expect.stringContaining("TOOLGATE_UNSET_VARIABLE"),
    }),
  );
  expect(findings.every((finding: Json) => typeof finding.fix === "string" && finding.fix !== "")).toBe(true);
  const text = await runToolgate(scratch, ["mcp", "doctor"]);
  expect(text.stdout).toContain("./.vscode/mcp.json:2");
  expect(text.status).toBe(1);
  expect(findings.map((finding: Json) => finding.check)).toEqual(
    expect.arrayContaining(["unusable-file", "command-missing", "unset-variable", "no-native-file", "no-model"]),
  );
});

test("warnings of readers reach sources, list and doctor with file, line and kind", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({ odd: { entry: { cmd: "node" } } });
  const warning = {
    path,
    line: 3,
    column: 5,
    server: "odd",
    kind: "misspelt-field",
    subject: "cmd",
    expected: "command",
  };
  const [list, sources, doctor] = await Promise.all(
    ["list", "sources", "doctor"].map(async (name) => (await runToolgate(scratch, ["mcp", name, "--json"])).json()),
  );
  expect(list.warnings).toMatchObject([warning]);
  expect(sources.warnings).toMatchObject([warning]);
  expect(doctor.findings[0]).toMatchObject({ path, line: 3, column: 5, server: "odd", check: "misspelt-field" });
  expect((await runToolgate(scratch, ["mcp", "list"])).stdout).toContain("1 warning: toolgate mcp doctor");
  expect((await runToolgate(scratch, ["mcp", "sources"])).stdout).toContain("~/.cursor/mcp.json:3:5: ");
});

test("a configuration file of the command line wins, and one that cannot be used is status 3", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { entry: { command: "no-such-command-anywhere" } } });
  const good = await scratch.write("extra.json", { mcpServers: { s: fixtureServer() } });
  const list = await runToolgate(scratch, ["mcp", "list", "--json", "--config", good]);
  expect(list.json()).toMatchObject({
    servers: [{ name: "s", status: "connected", source: { path: good, level: "runtime" } }],
    shadowed: [{ name: "s", source: { provider: "cursor" } }],
  });
  const broken = await scratch.write("broken.json", "{ nope");
  for (const path of [broken, scratch.file("absent.json"), scratch.root]) {
    const result = await runToolgate(scratch, ["mcp", "list", "--json", "--config", path]);
    expect(result.status).toBe(3);
    expect(result.json()).toMatchObject({ error: { code: "CONFIG_UNREADABLE" } });
  }
  const misplaced = await scratch.write("vscode.json", { servers: { s: fixtureServer() } });
  const wrongKey = await runToolgate(scratch, ["mcp", "list", "--json", "--config", misplaced]);
  expect(wrongKey.status).toBe(3);
  expect(wrongKey.json().error.message).toContain('servers under "servers"');
  // Other files that cannot be read are warnings.
  const cursor = await scratch.write("home/.cursor/mcp.json", "{ nope");
  const others = await runToolgate(scratch, ["mcp", "list", "--json"]);
  expect(others.status).toBe(0);
  expect(others.json().warnings).toMatchObject([{ path: cursor, line: 1 }]);
});

test("options choose where is looked", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ mine: { entry: { command: "node", disabled: true } } });
  await scratch.projectServers({ theirs: { entry: { command: "node", disabled: true } } });
  const servers = async (...words: string[]): Promise<string[]> =>
    (await runToolgate(scratch, ["mcp", "sources", "--json", ...words])).json().servers.map((item: Json) => item.name);
  expect(await servers()).toEqual(["mine", "theirs"]);
  expect(await servers("--no-project-config")).toEqual(["mine"]);
  expect(await servers("--providers", "mcp-json")).toEqual(["theirs"]);
  expect(await servers("--cwd", scratch.home)).toEqual(["mine"]);
  expect((await runToolgate(scratch, ["mcp", "list", "--providers", "nonsense"])).status).toBe(2);
  expect((await runToolgate(scratch, ["mcp", "list", "--cwd", scratch.file("absent")])).status).toBe(2);
});

test("what cannot be understood is status 2, with JSON when JSON was promised", async () => {
  await using scratch = await createScratch();
  const text = await runToolgate(scratch, ["mcp", "nonsense"]);
  expect(text).toMatchObject({ status: 2, stdout: "", stderr: expect.stringContaining("unknown command 'nonsense'") });
  const json = await runToolgate(scratch, ["mcp", "call", "--json"]);
  expect(json.status).toBe(2);
  expect(json.json()).toMatchObject({ error: { code: "USAGE" } });
  const help = await runToolgate(scratch, ["mcp", "call", "--help"]);
  expect(help).toMatchObject({ status: 0, stdout: expect.stringContaining("Usage: toolgate mcp call") });
});

test("a prompt without a model is answered by the words of tools; a wrong model is status 2", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  const text = await runToolgate(scratch, ["-p", "mcp_s_echo hello there", "--yes"]);
  expect(text).toMatchObject({ status: 0, stdout: "hello there\n", stderr: "● mcp_s_echo\n" });
  const piped = await runToolgate(scratch, ["-p", "--yes", "--quiet"], { input: "mcp_s_echo from a pipe\n" });
  expect(piped).toMatchObject({ status: 0, stdout: "from a pipe\n", stderr: "" });
  const wrong = await runToolgate(scratch, ["-p", "hi", "--model", "nobody/x", "--json"]);
  expect(wrong.status).toBe(2);
  expect(wrong.json()).toMatchObject({ type: "error", message: expect.stringContaining("--model") });
  expect(await runToolgate(scratch, ["-p", "-"], { input: " \n" })).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("The prompt is empty."),
  });
});

test("the cache has a place and can be emptied", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await runToolgate(scratch, ["mcp", "list"]);
  const { path } = (await runToolgate(scratch, ["cache", "path", "--json"])).json();
  expect(path).toBe(join(scratch.home, ".cache", "toolgate", "tools"));
  const cachedTools = async (): Promise<number> =>
    (await runToolgate(scratch, ["mcp", "tools", "--json", "--startup-timeout", "0"])).json().tools.length;
  expect(await cachedTools()).toBe(11);
  expect((await runToolgate(scratch, ["cache", "clear"])).status).toBe(0);
  expect(await cachedTools()).toBe(0);
});

test(verifies("L66", "a signal tears everything down and is the status of the process"), async () => {
  await using scratch = await createScratch();
  const pidFile = scratch.file("pid");
  await scratch.userServers({ s: { neverAnswer: ["initialize"], pidFile, ignoreEndOfInput: true } });
  for (const [signal, status] of [
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ] as const) {
    await rm(pidFile, { force: true });
    const child = startToolgate(scratch, ["mcp", "list", "--json"]);
    const ending = endOf(child);
    const pid = await waitFor(async () => Number(await readFile(pidFile, "utf8").catch(() => "")), "the server");
    child.kill(signal);
    expect(await ending).toMatchObject({ status, stdout: "" });
    expect(processIsAlive(pid)).toBe(false);
  }
});

test("a reader that goes away is no crash, and nothing is left", async () => {
  await using scratch = await createScratch();
  const pidFile = scratch.file("pid");
  await scratch.userServers({ s: { toolCount: 3000, pidFile } });
  const child = startToolgate(scratch, ["mcp", "tools", "--json"]);
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  child.stdout.destroy();
  const status = await new Promise((resolve) => child.on("close", resolve));
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(processIsAlive(Number(await readFile(pidFile, "utf8")))).toBe(false);
});

test("nothing but the document is on stdout, and --quiet silences the rest", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { stderr: "chatter\n" }, bad: { exitAt: "start" } });
  const loud = await runToolgate(scratch, ["mcp", "tools", "--json"]);
  loud.json();
  expect(loud.stderr).toContain("bad");
  const quiet = await runToolgate(scratch, ["mcp", "tools", "--json", "--quiet"]);
  quiet.json();
  expect(quiet.stderr).toBe("");
});
