import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { MCPManager } from "../src/manager.ts";
import { createServerWorld } from "./support/server-world.ts";
import { createVirtualClock } from "./support/virtual-clock.ts";

// More than what waits for promises between an answer and what follows from it.
const MOMENTS = Array.from({ length: 40 }, (_, moment) => moment);
const CONFIGS = { s: { command: "world", args: ["1"] } };

test.each(["initialize", "tools/list"])(
  verifies(
    "L63 L64",
    "a server that is removed in any moment after its answer to %s is gone, and can be started again",
  ),
  async (method) => {
    for (const moment of MOMENTS) {
      const world = createServerWorld();
      const clock = createVirtualClock();
      const manager = new MCPManager("/", { clock, connect: world.connect });
      const connecting = manager.connectServers(CONFIGS);
      await clock.settle();
      if (method === "tools/list") {
        world.step(0, "well");
        await clock.settle();
      }
      world.step(0, "well");
      for (let turn = 0; turn < moment; turn += 1) await Promise.resolve();
      const ending = manager.disconnectAll();
      await clock.settle();
      while (world.step(0, "well")) await clock.settle();
      await Promise.all([ending, connecting]);
      expect([...world.processes]).toEqual([]);
      expect(manager.getTools()).toEqual([]);
      expect(manager.getConnectionStatus("s")).toBe("disconnected");

      const again = manager.connectServers(CONFIGS);
      await clock.settle();
      while (world.step(0, "well")) await clock.settle();
      expect((await again).connectedServers).toEqual(["s"]);
    }
  },
);

test(verifies("L64", "disconnectAll waits for the end of a server that was disconnected before"), async () => {
  const world = createServerWorld();
  const clock = createVirtualClock();
  const manager = new MCPManager("/", { clock, connect: world.connect });
  const connecting = manager.connectServers(CONFIGS);
  await clock.settle();
  while (world.step(0, "well")) await clock.settle();
  await connecting;
  const ending = manager.disconnectServer("s");
  let isDone = false;
  const all = manager.disconnectAll().finally(() => (isDone = true));
  await clock.settle();
  expect(isDone).toBe(false);
  world.step(0, "well");
  await Promise.all([ending, all]);
  expect([...world.processes]).toEqual([]);
});
