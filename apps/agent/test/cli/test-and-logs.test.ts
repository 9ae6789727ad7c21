import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { createLiveChat } from "../support/live-chat.ts";
import type { Json } from "../support/run-toolgate.ts";
import { endOf, runToolgate, startToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

const logFile = (scratch: Scratch, server: string): string =>
  join(scratch.home, ".local", "state", "toolgate", "logs", `${server}.jsonl`);

test("test shows each step, what was agreed on and a call, and what to do next", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {}, bad: { exitAt: "start", exitCode: 3, stderr: "missing FOO\n" } });
  await scratch.projectServers({ theirs: {} });
  const words = ["mcp", "test", "good", "--call", "add", "a=2", "b=40"];
  const good = await runToolgate(scratch, [...words, "--json"]);
  expect(good.status).toBe(0);
  expect(good.json()).toMatchObject({
    servers: [
      {
        name: "good",
        status: "connected",
        era: "legacy",
        protocolVersion: expect.any(String),
        capabilities: expect.arrayContaining(["tools"]),
        warnings: [],
        durations: { spawn: expect.any(Number), initialize: expect.any(Number), list: expect.any(Number) },
      },
    ],
    call: { tool: "add", result: { isError: false, structuredContent: { sum: 42 } } },
  });
  const text = await runToolgate(scratch, words);
  for (const part of ["(legacy era)", "can do: ", "initialize", "✓ add", "42", "→ It works."]) {
    expect(text.stdout).toContain(part);
  }
  const bad = await runToolgate(scratch, ["mcp", "test", "bad"]);
  expect(bad.status).toBe(1);
  expect(bad.stdout).toContain("missing FOO");
  expect(bad.stdout).toContain("→ See all that it wrote, and how far it came: toolgate mcp logs bad");
  const logs = await runToolgate(scratch, ["mcp", "logs", "bad"]);
  expect(logs.stdout).toMatch(/→ {2}initialize[\s\S]*stderr\n {2}missing FOO/);
  const theirs = await runToolgate(scratch, ["mcp", "test", "theirs", "--json"]);
  expect(theirs.status).toBe(4);
  expect(theirs.json().servers[0].next).toContain("toolgate mcp trust theirs");
  expect((await runToolgate(scratch, ["mcp", "test", "good", "--call", "fail"])).status).toBe(1);
  const unknown = await runToolgate(scratch, ["mcp", "test", "good", "--call", "ehco"]);
  expect(unknown.status).toBe(1);
  expect(unknown.stdout).toContain("Did you mean good.echo?");
  expect((await runToolgate(scratch, ["mcp", "test", "--call", "echo"])).status).toBe(2);
});

test("logs shows what a server said in the last run, from a file that nobody else can read", async () => {
  await using scratch = await createScratch();
  const path = await scratch.userServers({ s: { stderr: `starting with ${SECRET}\n` } });
  const file: Json = JSON.parse(await readFile(path, "utf8"));
  file.mcpServers.s.env = { ...file.mcpServers.s.env, TOKEN: SECRET };
  await scratch.write("home/.cursor/mcp.json", file);
  const before = await runToolgate(scratch, ["mcp", "logs", "s"]);
  expect(before).toMatchObject({ status: 0, stdout: expect.stringContaining("toolgate mcp test s") });
  expect((await runToolgate(scratch, ["mcp", "call", "s.echo", "text=private words"])).status).toBe(0);

  expect((await stat(logFile(scratch, "s"))).mode & 0o777).toBe(0o600);
  const kept = await readFile(logFile(scratch, "s"), "utf8");
  expect(kept).not.toContain(SECRET);
  expect(kept).not.toContain("private words");
  const logs = await runToolgate(scratch, ["mcp", "logs", "s", "--json"]);
  expect(logs.json()).toMatchObject({
    name: "s",
    from: "last-run",
    stderr: expect.stringContaining("starting with ***"),
  });
  expect(logs.json().messages).toContainEqual({
    at: expect.any(Number),
    direction: "received",
    kind: "response",
    method: "tools/call",
    id: expect.any(Number),
    size: expect.any(Number),
    durationMs: expect.any(Number),
  });
  const text = await runToolgate(scratch, ["mcp", "logs", "s", "--protocol"]);
  expect(text.stdout).toContain("tools/call answered");
  expect(text.stderr).toContain('"mcp.logs": "protocol"');
  expect((await runToolgate(scratch, ["mcp", "logs", "nobody"])).status).toBe(1);
});

test("the setting decides what files keep: nothing, or also what messages said", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  const settings = (logs: string): Promise<string> =>
    scratch.write("home/.config/toolgate/config.json", { mcp: { logs } });
  const call = ["mcp", "call", "s.echo", "text=hello", "--json"];
  await settings("off");
  await runToolgate(scratch, call);
  await expect(stat(logFile(scratch, "s"))).rejects.toThrow("ENOENT");
  expect((await runToolgate(scratch, ["mcp", "logs", "s"])).stdout).toContain('The setting "mcp.logs" keeps no files.');
  await settings("protocol");
  await runToolgate(scratch, call);
  const logs = await runToolgate(scratch, ["mcp", "logs", "s", "--protocol", "--json"]);
  const sent = logs.json().messages.find(({ method, kind }: Json) => method === "tools/call" && kind === "request");
  expect(sent.text).toContain("hello");
  const hidden = await runToolgate(scratch, ["mcp", "logs", "s", "--json"]);
  expect(hidden.stdout).not.toContain("hello");
});

test("in the chat, logs shows what messages said with secrets masked, and only when it is asked for", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await using chat = await createLiveChat(scratch);
  await chat.run(`call s.echo 'text=hello' password=${SECRET}`);
  expect((await chat.run("logs s")).text).not.toContain("hello");
  const { text, document } = await chat.run("logs s --protocol");
  expect(document).toMatchObject({ from: "session" });
  expect(text).toContain("hello");
  expect(text).toContain('"password":"***"');
  expect(text).not.toContain(SECRET);
});

test("logs --follow shows what another run does, until it is interrupted", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await runToolgate(scratch, ["mcp", "tools", "s"]);
  const following = startToolgate(scratch, ["mcp", "logs", "s", "--follow"]);
  const ended = endOf(following);
  let shown = "";
  following.stdout.on("data", (chunk: Buffer) => {
    shown += chunk.toString();
  });
  await waitFor(async () => shown.includes("tools/list answered"), "the messages of the run before");
  expect(shown).not.toContain("tools/call");
  // What watches may begin a moment after what is shown: a further run is as good as the first.
  await waitFor(async () => {
    await runToolgate(scratch, ["mcp", "call", "s.echo", "text=hi"]);
    return shown.includes("tools/call answered");
  }, "the call of another run");
  following.kill("SIGINT");
  expect((await ended).status).toBe(130);
  expect((await runToolgate(scratch, ["mcp", "logs", "s", "--follow", "--json"])).status).toBe(2);
});
