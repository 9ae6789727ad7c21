import type { ConnectionStatus, ServerTool } from "@toolgate/mcp-manager";
import { isServerTool } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { wrapForSession } from "../../src/session/session-mcp-tool.ts";
import { plainTool, textResult } from "../support/plain-tool.ts";

/** A tool whose call changes the status of its server, and what the session hears of it. */
function createCase(after: ConnectionStatus, options: { before?: ConnectionStatus; fails?: boolean } = {}) {
  const events: string[] = [];
  let status: ConnectionStatus = options.before ?? "connecting";
  const inner: ServerTool = {
    ...plainTool("mcp_s_t"),
    server: "s",
    tool: "t",
    execute: async () => {
      events.push("called");
      status = after;
      if (options.fails === true) throw new DOMException("stop", "AbortError");
      return textResult("t", "done");
    },
  };
  const tool = wrapForSession(inner, {
    statusOf: () => status,
    onLateConnection: async (server) => {
      await Promise.resolve();
      events.push(`refreshed for ${server}`);
    },
  });
  return { tool, events };
}

test(verifies("L52", "a call that waited for its server refreshes the tools before it returns"), async () => {
  const { tool, events } = createCase("connected");
  expect(await tool.execute({})).toMatchObject({ content: [{ text: "done" }] });
  expect(events).toEqual(["called", "refreshed for s"]);
});

test(verifies("L52", "without a new connection nothing is refreshed"), async () => {
  for (const { tool, events } of [
    createCase("connected", { before: "connected" }),
    createCase("disconnected"),
    createCase("connecting"),
  ]) {
    await tool.execute({});
    expect(events).toEqual(["called"]);
  }
});

test("an abort stays an abort, and a connection that came about is still noticed", async () => {
  const { tool, events } = createCase("connected", { fails: true });
  await expect(tool.execute({})).rejects.toMatchObject({ name: "AbortError" });
  expect(events).toEqual(["called", "refreshed for s"]);
});

test("a wrapped tool is still known as a server's tool, and a native one is not wrapped", () => {
  const { tool } = createCase("connected");
  expect(isServerTool(tool) && [tool.server, tool.tool, tool.name]).toEqual(["s", "t", "mcp_s_t"]);
  const native = plainTool("native");
  expect(wrapForSession(native, { statusOf: () => "connected", onLateConnection: async () => {} })).toBe(native);
});
