import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";

import type { ObservedMessage } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { ServerLogs } from "../../src/server-logs/server-logs.ts";
import type { ServerLogsOptions } from "../../src/server-logs/server-logs.ts";
import { createRecordingLogger, createScratch } from "../support/scratch.ts";
import type { Scratch } from "../support/scratch.ts";

function request(id: number, text = "{}"): ObservedMessage {
  return { direction: "sent", kind: "request", method: "tools/call", id, size: text.length, text: () => text };
}

function response(id: number): ObservedMessage {
  return { direction: "received", kind: "response", id, size: 2, text: () => "{}" };
}

function createLogs(scratch: Scratch, options: Partial<ServerLogsOptions> = {}): ServerLogs {
  const { project: cwd, home, env } = scratch;
  return new ServerLogs({ cwd, home, env, platform: process.platform, ...options });
}

test("an answer is told with its method and how long it took, whichever way it went", async () => {
  await using scratch = await createScratch();
  let now = 1000;
  const logs = createLogs(scratch, { files: "off", now: () => now });
  logs.record("s", request(1));
  // The server counts its own requests.
  logs.record("s", { direction: "received", kind: "request", method: "roots/list", id: 1, size: 2, text: () => "{}" });
  now = 1025;
  logs.record("s", response(1));
  now = 1030;
  logs.record("s", { ...response(1), direction: "sent" });
  expect(logs.messagesOf("s").slice(2)).toMatchObject([
    { method: "tools/call", durationMs: 25 },
    { method: "roots/list", durationMs: 30 },
  ]);
});

test("memory and files are bounded, and keep what came last", async () => {
  await using scratch = await createScratch();
  const logs = createLogs(scratch, { files: "protocol" });
  const text = "x".repeat(4000);
  for (let id = 1; id <= 600; id += 1) {
    logs.record("s", request(id, text));
    // A file is written while a run goes on.
    // oxlint-disable-next-line no-await-in-loop -- as above
    if (id % 20 === 0) await logs.finish([]);
  }
  expect(logs.messagesOf("s").map(({ id }) => id)).toEqual(Array.from({ length: 500 }, (_, index) => index + 101));
  const folder = dirname(logs.fileOf("s"));
  const files = await readdir(folder);
  expect(files.toSorted()).toEqual(["s.jsonl", "s.jsonl.1"]);
  const sizes = await Promise.all(files.map(async (name) => (await stat(`${folder}/${name}`)).size));
  expect(Math.max(...sizes)).toBeLessThan(512 * 1024);
  const entries = await logs.readLastRun("s");
  expect(entries.at(-1)).toMatchObject({ type: "message", id: 600 });
});

test("a run replaces the one before, and servers have files of their own whatever they are called", async () => {
  await using scratch = await createScratch();
  const before = createLogs(scratch);
  before.record("a/../b", request(1));
  before.record("s", request(1));
  await before.finish([{ name: "a/../b", stderr: "first run" }]);
  const logs = createLogs(scratch);
  logs.record("a/../b", request(2));
  await logs.finish([{ name: "silent", stderr: "" }]);
  expect(await logs.readLastRun("a/../b")).toMatchObject([{ type: "run" }, { type: "message", id: 2 }]);
  expect(await logs.readLastRun("s")).toMatchObject([{ type: "run" }, { type: "message", id: 1 }]);
  expect(await logs.readLastRun("silent")).toEqual([]);
});

test("a damaged line is passed over, and a folder that cannot be written is said once and stops nothing", async () => {
  await using scratch = await createScratch();
  const before = createLogs(scratch);
  before.record("s", request(1));
  await before.finish([]);
  const path = before.fileOf("s");
  await writeFile(path, `${await readFile(path, "utf8")}{"type": "mess\n{"type":"later"}\n`);
  expect(await before.readLastRun("s")).toMatchObject([{ type: "run" }, { type: "message" }]);

  const logger = createRecordingLogger();
  const state = await scratch.write("state", "a file, not a folder");
  const logs = createLogs(scratch, { logger, env: { ...scratch.env, XDG_STATE_HOME: state } });
  logs.record("s", request(1));
  await logs.finish([{ name: "s", stderr: "lost" }]);
  logs.record("s", request(2));
  await logs.finish([]);
  expect(logs.messagesOf("s")).toHaveLength(2);
  expect(logger.lines).toEqual([expect.stringMatching(/^warn: The log .* cannot be written/)]);
});
