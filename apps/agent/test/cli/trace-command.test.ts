import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { createLiveChat } from "../support/live-chat.ts";
import type { Json } from "../support/run-toolgate.ts";
import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const SECRET = "s3cret-value-0123";

test("without a start there is nothing to draw, and that is said", async () => {
  await using scratch = await createScratch();
  const { status, stdout } = await runToolgate(scratch, ["mcp", "trace"]);
  expect({ status, stdout }).toMatchObject({ status: 0, stdout: expect.stringContaining("toolgate mcp list") });
  expect((await runToolgate(scratch, ["mcp", "trace", "--json"])).json()).toEqual({ start: null });
  expect((await runToolgate(scratch, ["mcp", "trace", "--html", "trace.html"])).status).toBe(1);
});

test("the last start is drawn as a waterfall and written as a page, without starting anything", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    good: { toolCount: 3 },
    "<script>": { exitAt: "start", exitCode: 3, stderr: `missing <FOO> ${SECRET}\n` },
  });
  const path = join(scratch.home, ".cursor", "mcp.json");
  const config = JSON.parse(await readFile(path, "utf8")) as { mcpServers: Record<string, object> };
  for (const entry of Object.values(config.mcpServers)) Object.assign(entry, { env: { API_TOKEN: SECRET } });
  await scratch.write("home/.cursor/mcp.json", config);
  await runToolgate(scratch, ["mcp", "list"]);
  await runToolgate(scratch, ["mcp", "tools"]);

  const trace = await runToolgate(scratch, ["mcp", "trace"]);
  expect(trace.status).toBe(0);
  expect(trace.stdout).toMatch(/^mcp tools · .* UTC/);
  expect(trace.stdout).toContain("2 servers: 1 ready, 1 failed · 3 tools");
  expect(trace.stdout).toMatch(/^good +ready +3 tools/m);
  expect(trace.stdout).toMatch(/^<script> +FAILED .*✗/m);
  expect(trace.stdout).toContain("missing <FOO> ***");
  // oxlint-disable-next-line no-control-regex -- no colour in a pipe
  expect(trace.stdout).not.toMatch(/\u001b/);

  const { start } = (await runToolgate(scratch, ["mcp", "trace", "--json"])).json();
  expect(start).toMatchObject({ version: 1, command: "mcp tools", cwd: scratch.project, time: expect.any(Number) });
  expect(start.servers.map((server: Json) => [server.name, server.status])).toEqual([
    ["<script>", "failed"],
    ["good", "connected"],
  ]);
  expect(start.servers[1].durations).toMatchObject({ queue: expect.any(Number), list: expect.any(Number) });

  const written = await runToolgate(scratch, ["mcp", "trace", "--html", "trace.html", "--json"]);
  expect(written.json().html).toBe(join(scratch.project, "trace.html"));
  const page = await readFile(join(scratch.project, "trace.html"), "utf8");
  expect(page).toContain("&lt;script&gt;");
  expect(page.match(/<script/g)).toHaveLength(1);

  const directory = join(scratch.home, ".local", "state", "toolgate", "starts");
  const files = await readdir(directory);
  expect(files).toHaveLength(2);
  const records = await Promise.all(files.map((file) => readFile(join(directory, file), "utf8")));
  expect([page, trace.stdout, ...records].join("\n")).not.toContain(SECRET);
});

test("a page that cannot be written is a failure that names the file", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {} });
  await runToolgate(scratch, ["mcp", "list"]);
  const { status, stderr } = await runToolgate(scratch, ["mcp", "trace", "--html", "absent/trace.html"]);
  expect(status).toBe(1);
  expect(stderr).toContain(join(scratch.project, "absent", "trace.html"));
});

test("the chat records its start and draws the one of its live session", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: { toolCount: 2 } });
  const chat = await runToolgate(scratch, [], { input: "/mcp trace\n/exit\n" });
  expect(chat.stdout).toMatch(/^s +ready +2 tools/m);
  const { start } = (await runToolgate(scratch, ["mcp", "trace", "--json"])).json();
  expect(start).toMatchObject({
    command: "chat",
    gateMs: 250,
    servers: [{ name: "s", status: "connected", tools: 2 }],
  });
});

test("in a session the trace is of its own servers, as they are now", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  await using chat = await createLiveChat(scratch);
  const { document, text } = await chat.run("trace");
  expect(document).toMatchObject({ start: { command: "chat", servers: [{ name: "s" }] } });
  expect(text).toMatch(/^s +/m);
});

test("the list of a session says how to start a failed server again", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ bad: { exitAt: "start" } });
  await using chat = await createLiveChat(scratch);
  const { text } = await chat.run("list");
  expect(text).toContain("/mcp reconnect bad");
});
