import { join } from "node:path";

import { expect, test } from "vitest";

import { eraServer, loggedMethods } from "../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { createWorkbench, textOf } from "./support/workbench.ts";

const ALL = { startupTimeoutMs: Number.POSITIVE_INFINITY };

test(
  verifies("X04", "the era that worked is remembered with the tools, and the next start begins with it"),
  async () => {
    await using bench = await createWorkbench();
    const logFile = join(bench.directory, "modern.log");
    const configs = { modern: eraServer({ legacy: "reject", logFile }) };

    await bench.fillCache(configs);
    expect(requestsIn(logFile)).toEqual(["initialize", "server/discover", "tools/list", "tools/list"]);

    const manager = bench.createManager(ALL);
    await manager.connectServers(configs);
    expect(requestsIn(logFile).slice(4)).toEqual(["server/discover", "tools/list", "tools/list"]);
    expect(manager.describeServers()).toMatchObject([{ name: "modern", era: "modern", protocolVersion: "2026-07-28" }]);
    const echo = manager.getTools().find((tool) => tool.name === "mcp_modern_echo");
    const result = await echo?.execute({ text: "hello" });
    expect(result === undefined ? undefined : textOf(result)).toBe("hello");
  },
);

/** What the server was asked, without the subscription to its changes, which is opened beside. */
function requestsIn(logFile: string): string[] {
  return loggedMethods(logFile).filter((method) => !/^(?:subscriptions|notifications)\//.test(method));
}

test("a cache that does not answer leaves the server to say its era itself", async () => {
  await using bench = await createWorkbench();
  const never = new Promise<never>(() => {});
  const toolCache = { get: () => never, set: () => Promise.resolve() };
  const manager = bench.createManager({ ...ALL, toolCache });
  await manager.connectServers({ modern: eraServer({ legacy: "reject" }) });
  expect(manager.describeServers()).toMatchObject([{ status: "connected", era: "modern" }]);
});
