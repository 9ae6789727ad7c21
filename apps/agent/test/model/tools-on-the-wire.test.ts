import { rm } from "node:fs/promises";

import { expect, test } from "vitest";

import { waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { startModelBench } from "../support/model-bench.ts";
import type { ModelStep } from "../support/model-server.ts";
import type { Json } from "../support/model-wires.ts";
import { toolBytesOf, wires } from "../support/model-wires.ts";
import { createScratch } from "../support/scratch.ts";
import { collect } from "../support/scripted-model.ts";

// A provider's cache goes by bytes: the tools come first in a request, and one byte of them makes all of it new.
const names = ["anthropic", "openai"] as const;
const done: ModelStep = { answer: { text: ["Done."] } };
const call = (name: string): ModelStep => ({ answer: { calls: [{ id: `call_${name}`, name, arguments: {} }] } });

/** A tool with a schema of which each part could come out in another order. */
function definition(name: string, description = `What ${name} does.`): object {
  return {
    name,
    description,
    inputSchema: {
      type: "object",
      properties: {
        zone: { type: "string", enum: ["west", "east"], description: "Where." },
        amount: { $ref: "#/$defs/amount" },
      },
      required: ["zone"],
      $defs: { amount: { type: "number", minimum: 0 } },
    },
  };
}

/** The same as JSON with every object's keys the other way round. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, part]) => [key, reversed(part)]),
  );
}

test.each(names)("%s: tools are the same bytes in every step and turn", async (wire) => {
  await using scratch = await createScratch();
  const toolsFile = await scratch.write("tools.json", [definition("echo"), definition("add")]);
  await scratch.userServers({ b: { toolsFile }, a: {} });
  const steps = [call("mcp_a_echo"), call("mcp_b_add"), done, call("read"), done];
  await using bench = await startModelBench(wire, steps);
  const options = { ...scratch.session, model: bench.model, nativeTools: true };
  await using session = (await createAgentSession(options)).session;
  await collect(session.prompt("one"));
  await collect(session.prompt("two"));
  const sent = bench.server.requests.map(({ text }) => toolBytesOf(text));
  expect(sent).toHaveLength(5);
  expect(new Set(sent).size).toBe(1);
  expect(sent[0]).toContain("mcp_b_add");
});

test.each(names)(
  verifies("L52 X02", "%s: tools are the same bytes before and after a server that was known becomes ready"),
  async (wire) => {
    await using scratch = await createScratch();
    const gate = await scratch.write("gate", "");
    const known = [definition("echo"), definition("add")];
    const toolsFile = await scratch.write("tools.json", known);
    await scratch.userServers({ late: { toolsFile, waitForFile: { initialize: gate } }, other: {} });
    await (await createAgentSession(scratch.session)).session.dispose();

    await rm(gate);
    // A server may say the same in another order.
    await scratch.write("tools.json", reversed(known).toReversed());
    await using bench = await startModelBench(wire, [done]);
    const result = await createAgentSession({
      ...scratch.session,
      model: bench.model,
      mcp: { startupTimeoutMs: 0 },
    });
    await using session = result.session;
    const { mcpManager } = result;
    expect(mcpManager?.getConnectionStatus("late")).toBe("connecting");
    await collect(session.prompt("one"));
    const listed = new Promise<void>((resolve) => {
      mcpManager?.subscribe((event) => void (event.type === "tools-changed" && event.server === "late" && resolve()));
    });
    const remembered = session.tools.get("mcp_late_add");
    await scratch.write("gate", "");
    await session.waitForMCPServer("late");
    await listed;
    await waitFor(() => session.tools.get("mcp_late_add") !== remembered, "the tools of the server itself");
    await collect(session.prompt("two"));
    const [before, after] = bench.server.requests.map(({ text }) => toolBytesOf(text));
    expect(before).toContain("mcp_late_add");
    expect(after).toBe(before);
  },
);

test.each(names)(verifies("X02", "%s: when a server's tools change, only these are other bytes"), async (wire) => {
  await using scratch = await createScratch();
  await scratch.write("tools.json", [definition("echo"), definition("add")]);
  await scratch.userServers({ a: {}, b: { toolsFile: scratch.file("tools.json") }, c: {} });
  await using bench = await startModelBench(wire, [done]);
  const result = await createAgentSession({ ...scratch.session, model: bench.model });
  await using session = result.session;
  const { mcpManager } = result;
  await collect(session.prompt("one"));
  await scratch.write("tools.json", [definition("add", "Adds better."), definition("new")]);
  const method = "notifications/tools/list_changed";
  await mcpManager?.getConnection("b")?.request("fixture/notify", { method });
  await waitFor(() => session.tools.get("mcp_b_new"), "the tool that is new");
  await collect(session.prompt("two"));
  const [before = new Map(), after = new Map()] = bench.server.requests.map(({ body }) => toolsByName(wire, body));
  const isOfB = (name: string): boolean => name.startsWith("mcp_b_");
  expect([...before.keys()].filter(isOfB)).toEqual(["mcp_b_add", "mcp_b_echo"]);
  expect([...after.keys()].filter(isOfB)).toEqual(["mcp_b_add", "mcp_b_new"]);
  expect(after.get("mcp_b_add")).toContain("Adds better.");
  const others = (tools: Map<string, string>): [string, string][] => [...tools].filter(([name]) => !isOfB(name));
  expect(others(after)).toEqual(others(before));
  expect(others(after).length).toBeGreaterThan(10);
});

/** The tools of a request as text, in order; without the mark at the last one, which is about the whole list. */
function toolsByName(wire: (typeof names)[number], body: Json): Map<string, string> {
  return new Map(
    wires[wire].toolsOf(body).map(({ cache_control: _mark, ...tool }: Json) => [tool.name, JSON.stringify(tool)]),
  );
}
