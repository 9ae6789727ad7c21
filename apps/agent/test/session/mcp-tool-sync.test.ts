import type { AgentTool } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import type { CreateAgentSessionOptions } from "../../src/session/session-options.ts";
import { plainTool } from "../support/plain-tool.ts";

async function createSession(options: CreateAgentSessionOptions = {}): Promise<AgentSession> {
  const { session } = await createAgentSession({ enableMCP: false, tools: [plainTool("native")], ...options });
  return session;
}

function activeNames(session: AgentSession): string[] {
  return session.tools.active().map((tool) => tool.name);
}

test(verifies("L51", "a refresh replaces the mcp_ tools and leaves native ones and activations alone"), async () => {
  await using session = await createSession({ tools: [plainTool("native"), plainTool("silent")] });
  await session.refreshMCPTools([plainTool("mcp_s_stays"), plainTool("mcp_s_off"), plainTool("mcp_s_goes")]);
  session.tools.setActive(["native", "mcp_s_stays", "mcp_s_goes"]);
  const latest = plainTool("mcp_s_stays");
  await session.refreshMCPTools([latest, plainTool("mcp_s_off"), plainTool("mcp_s_new")]);
  expect(session.tools.list().map((tool) => tool.name)).toEqual([
    "mcp_s_new",
    "mcp_s_off",
    "mcp_s_stays",
    "native",
    "silent",
  ]);
  expect(activeNames(session)).toEqual(["mcp_s_new", "mcp_s_stays", "native"]);
  expect(session.tools.get("mcp_s_stays")).toBe(latest);
});

test(verifies("L51", "a tool that was switched off and comes back is still off"), async () => {
  await using session = await createSession();
  await session.refreshMCPTools([plainTool("mcp_s_a")]);
  session.tools.setActive(["native"]);
  await session.refreshMCPTools([]);
  await session.refreshMCPTools([plainTool("mcp_s_a")]);
  expect(activeNames(session)).toEqual(["native"]);
  session.tools.setActive(["mcp_s_a"]);
  await session.refreshMCPTools([plainTool("mcp_s_a")]);
  expect(activeNames(session)).toEqual(["mcp_s_a"]);
});

test(verifies("L51", "a refresh that fails changes nothing"), async () => {
  await using session = await createSession();
  await session.refreshMCPTools([plainTool("mcp_s_a"), plainTool("mcp_s_b")]);
  session.tools.setActive(["native", "mcp_s_b"]);
  const before = session.tools.list();
  const broken: AgentTool[][] = [
    [plainTool("mcp_s_c"), plainTool("mcp_s_c")],
    [plainTool("mcp_s_c"), plainTool("native")],
    [plainTool("mcp_s_c"), plainTool("not a name")],
  ];
  for (const tools of broken) {
    await expect(session.refreshMCPTools(tools)).rejects.toMatchObject({ code: "CONFIG_INVALID" });
    expect(session.tools.list()).toEqual(before);
    expect(activeNames(session)).toEqual(["mcp_s_b", "native"]);
  }
  await session.refreshMCPTools([plainTool("mcp_s_a")]);
  expect(activeNames(session)).toEqual(["native"]);
});

test(verifies("L51", "a refresh that the host refuses is taken back, and the next one works"), async () => {
  const applied: string[][] = [];
  await using session = await createSession({
    applyTools: async (active) => {
      applied.push(active.map((tool) => tool.name));
      if (active.some((tool) => tool.name === "mcp_s_refused")) throw new Error("too many tools");
    },
  });
  await expect(session.refreshMCPTools([plainTool("mcp_s_refused")])).rejects.toThrow("too many tools");
  expect(activeNames(session)).toEqual(["native"]);
  await session.refreshMCPTools([plainTool("mcp_s_ok")]);
  expect(applied).toEqual([
    ["mcp_s_refused", "native"],
    ["mcp_s_ok", "native"],
  ]);
});

test(verifies("L51", "refreshes run one after the other, in the order of their calls"), async () => {
  const running: string[] = [];
  const release: (() => void)[] = [];
  await using session = await createSession({
    applyTools: async (active) => {
      running.push(active.map((tool) => tool.name).join());
      if (running.length === 1) await new Promise<void>((resolve) => release.push(resolve));
    },
  });
  const first = session.refreshMCPTools([plainTool("mcp_s_one")]);
  const second = session.refreshMCPTools([plainTool("mcp_s_two")]);
  while (release.length === 0) await Promise.resolve();
  expect(running).toEqual(["mcp_s_one,native"]);
  release[0]?.();
  await Promise.all([first, second]);
  expect(running).toEqual(["mcp_s_one,native", "mcp_s_two,native"]);
  expect(activeNames(session)).toEqual(["mcp_s_two", "native"]);
});
