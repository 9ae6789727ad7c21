import { rmSync } from "node:fs";

import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { mergeInstructions } from "../src/instructions.ts";
import { createWorkbench, nextEvent } from "./support/workbench.ts";

test(verifies("X03", "instructions are merged by server name, each cut by itself, and the cut is told"), () => {
  const given = [
    { server: "b", instructions: "Short." },
    { server: "c" },
    { server: "a", instructions: "x".repeat(100) },
    { server: "d\n# Danger", instructions: " " },
    { server: "e\n# Danger", instructions: "Name." },
  ];
  const merged = mergeInstructions(given, 10);
  expect(merged.servers.map(({ server }) => server)).toEqual(["a", "b", "e\n# Danger"]);
  expect(merged.text).toBe(
    `## a\n\n${"x".repeat(10)}\n[Cut: 90 of 100 characters are left out.]\n\n## b\n\nShort.\n\n## e # Danger\n\nName.`,
  );
  expect(mergeInstructions(given.toReversed(), 10)).toEqual(merged);
  expect(mergeInstructions([], 10)).toEqual({ servers: [], text: "" });
});

test(verifies("X03", "a manager gives the instructions of the servers whose tools it lists"), async () => {
  await using bench = await createWorkbench();
  const manager = bench.createManager();
  await manager.connectServers({
    b: bench.server("b", { instructions: "Use b for letters." }),
    a: bench.server("a", { instructions: "Use a first." }),
    silent: bench.server("silent"),
    broken: bench.server("broken", { exitAt: "start", instructions: "never heard" }),
  });
  const { servers, text } = manager.getInstructions();
  expect(servers).toEqual([
    { server: "a", instructions: "Use a first." },
    { server: "b", instructions: "Use b for letters." },
  ]);
  expect(text).toBe("## a\n\nUse a first.\n\n## b\n\nUse b for letters.");
  await manager.disconnectServer("a");
  expect(manager.getInstructions({ maxCharacters: 5 }).text).toBe(
    "## b\n\nUse b\n[Cut: 13 of 18 characters are left out.]",
  );
});

test(
  verifies("X03", "a character of several code units is kept whole or left out, and the limit itself passes"),
  () => {
    const shown = (instructions: string, limit: number): string | undefined =>
      mergeInstructions([{ server: "a", instructions }], limit).servers[0]?.instructions;
    expect(shown("x".repeat(4000), 4000)).toBe("x".repeat(4000));
    expect(shown("x".repeat(4001), 4000)).toBe(`${"x".repeat(4000)}\n[Cut: 1 of 4001 characters are left out.]`);
    expect(shown("ab\u{1F600}", 3)).toBe("ab\n[Cut: 2 of 4 characters are left out.]");
    expect(shown("ae\u0301", 2)).toBe("a\n[Cut: 2 of 3 characters are left out.]");
    expect(shown("\u{1F600}".repeat(200), 101)).toContain("[Cut: 300 of 400 ");
  },
);

test(
  verifies("X03", "instructions come and go with the tools, and remembered ones stand in for a server on its way"),
  async () => {
    await using bench = await createWorkbench();
    const gate = bench.gate("late");
    const late = bench.server("late", { instructions: "Ask late.", waitForFile: { initialize: gate } });
    bench.open(gate);
    await bench.fillCache({ late });
    rmSync(gate);
    const manager = bench.createManager({ startupTimeoutMs: 0 });
    await manager.connectServers({ late });
    expect(manager.describeServers()).toMatchObject([{ status: "connecting", cached: true }]);
    const remembered = manager.getInstructions();
    expect(remembered.text).toBe("## late\n\nAsk late.");
    bench.open(gate);
    await nextEvent(manager, "tools-changed");
    expect(manager.getInstructions()).toEqual(remembered);
    // One that has dropped still has its tools in the list, and says what they are for.
    process.kill(bench.pidOf("late"), "SIGKILL");
    await manager.getConnection("late")?.closed;
    expect(manager.getTools()).not.toEqual([]);
    expect(manager.getInstructions()).toEqual(remembered);
    await manager.disconnectServer("late");
    expect(manager.getInstructions().text).toBe("");
  },
);
