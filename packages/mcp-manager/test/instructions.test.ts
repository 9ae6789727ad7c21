import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { mergeInstructions } from "../src/instructions.ts";
import { createWorkbench } from "./support/workbench.ts";

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
    `## a\n\n${"x".repeat(10)}\n[Cut: 90 of 100 bytes are left out.]\n\n## b\n\nShort.\n\n## e # Danger\n\nName.`,
  );
  expect(mergeInstructions(given.toReversed(), 10)).toEqual(merged);
  expect(mergeInstructions([], 10)).toEqual({ servers: [], text: "" });
});

test(verifies("X03", "a manager gives the instructions of the servers that are connected"), async () => {
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
  expect(manager.getInstructions({ maxBytes: 5 }).text).toBe("## b\n\nUse b\n[Cut: 13 of 18 bytes are left out.]");
});
