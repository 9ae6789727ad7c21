import { readdir } from "node:fs/promises";

import { silentLogger } from "@toolgate/contracts";
import { MCPManager } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { fixtureServer, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { followStart, saveStart } from "../../src/state/follow-start.ts";
import { createStartStore } from "../../src/state/start-store.ts";
import type { Scratch } from "../support/scratch.ts";
import { createRecordingLogger, createScratch } from "../support/scratch.ts";

function optionsIn({ home, env, project }: Scratch) {
  const store = createStartStore({ home, env, platform: "linux" });
  return { command: "chat", cwd: project, store, logger: silentLogger };
}

test("a start is recorded when its last server has come to its end, and once", async () => {
  await using scratch = await createScratch();
  const options = optionsIn(scratch);
  const gate = scratch.file("gate");
  await using manager = new MCPManager(scratch.project, { uncachedPending: "defer", startupTimeoutMs: 0 });
  await manager.connectServers({ s: fixtureServer({ waitForFile: { initialize: gate } }) });
  const finish = followStart(manager, options);
  expect(await options.store.latest()).toBeUndefined();
  await scratch.write("gate", "");
  const record = await waitFor(() => options.store.latest(), "the record");
  expect(record).toMatchObject({ command: "chat", gateMs: 0, servers: [{ name: "s", status: "connected" }] });
  await finish();
  expect(await readdir(options.store.directory)).toHaveLength(1);
});

test("a start that is ended before is recorded as far as it had come", async () => {
  await using scratch = await createScratch();
  const options = optionsIn(scratch);
  await using manager = new MCPManager(scratch.project, { uncachedPending: "defer", startupTimeoutMs: 0 });
  await manager.connectServers({ s: fixtureServer({ neverAnswer: ["initialize"] }) });
  await followStart(manager, options)();
  expect(await options.store.latest()).toMatchObject({ servers: [{ name: "s", status: "connecting" }] });
});

test("without servers there is nothing to record, and a record that cannot be written is only logged", async () => {
  await using scratch = await createScratch();
  const logger = createRecordingLogger();
  const options = { ...optionsIn(scratch), logger };
  await using manager = new MCPManager(scratch.project);
  await saveStart(manager, options);
  expect(await options.store.latest()).toBeUndefined();
  await scratch.write("home/.local/state", "a file where a directory has to be");
  await manager.connectServers({ s: fixtureServer() });
  await saveStart(manager, options);
  expect(logger.lines).toEqual([expect.stringContaining("warn: The start could not be recorded")]);
});
