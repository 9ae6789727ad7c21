import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";

import { MCPManager } from "@toolgate/mcp-manager";
import { expect, test } from "vitest";

import { processIsAlive, receivedMessages, waitFor } from "../../../../tooling/fixture-servers/index.mjs";
import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { discoverMCPServers } from "../../src/session/discover-mcp-servers.ts";
import { createProjectApproval } from "../../src/trust/project-approval.ts";
import { createTrustStore } from "../../src/trust/trust-store.ts";
import { plainTool } from "../support/plain-tool.ts";
import { createRecordingLogger, createScratch } from "../support/scratch.ts";

/** Every start waits for all servers: what is looked at is not the gate. */
const AWAITED = { startupTimeoutMs: Number.POSITIVE_INFINITY };

function names(tools: readonly { name: string }[]): string[] {
  return tools.map((item) => item.name);
}

test(
  verifies("L01 L04 L15", "a session starts the configured servers, logs each error and hands over its manager"),
  async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ good: {}, bad: { exitAt: "start", exitCode: 3, stderr: "missing FOO\n" } });
    const logger = createRecordingLogger();
    const result = await createAgentSession({ ...scratch.session, logger });
    await using session = result.session;
    expect(result.mcpManager).toBeInstanceOf(MCPManager);
    expect(session.mcpManager).toBe(result.mcpManager);
    expect(names(session.tools.active())).toContain("mcp_good_echo");
    expect(result.mcpErrors).toEqual([{ path: "mcp:bad", error: expect.stringContaining("missing FOO") }]);
    expect(logger.lines.filter((line) => line.startsWith("error: mcp:bad: "))).toHaveLength(1);
    const answer = await session.tools.get("mcp_good_add")?.execute({ a: 2, b: 40 });
    expect(answer).toMatchObject({ isError: false, structuredContent: { sum: 42 } });
  },
);

test(
  verifies("L02", "with enableMCP false no place is looked at, no file is read and nothing is started"),
  async () => {
    await using scratch = await createScratch();
    const pidFile = scratch.file("pid");
    await scratch.userServers({ good: { pidFile } });
    const settings = await scratch.write("home/.config/toolgate/config.json", "{ not json");
    // Whoever looks for configuration asks the environment where it is.
    const asked: PropertyKey[] = [];
    const env = new Proxy(scratch.env, {
      get: (target, name) => {
        asked.push(name);
        return Reflect.get(target, name) as string | undefined;
      },
      getOwnPropertyDescriptor: (target, name) => {
        asked.push(name);
        return Reflect.getOwnPropertyDescriptor(target, name);
      },
      ownKeys: (target) => {
        asked.push("*");
        return Reflect.ownKeys(target);
      },
    });
    const options = { ...scratch.session, env, tools: [plainTool("native")] };
    const result = await createAgentSession({ ...options, enableMCP: false });
    await using session = result.session;
    expect(result).toMatchObject({ mcpErrors: [], warnings: [] });
    expect(result.mcpManager).toBeUndefined();
    expect(session.mcpManager).toBeUndefined();
    expect(names(session.tools.list())).toEqual(["native"]);
    expect(existsSync(pidFile)).toBe(false);
    expect(asked).toEqual([]);
    await expect(session.reloadMCP()).rejects.toMatchObject({ code: "NOT_CONNECTED" });

    const enabled = await createAgentSession(options);
    await enabled.session.dispose();
    expect(enabled.warnings).toEqual([expect.objectContaining({ path: settings })]);
    expect(existsSync(pidFile)).toBe(true);
    expect(asked).toContain("XDG_CONFIG_HOME");
  },
);

test(verifies("L01 L12", "the setting mcp.enableProjectConfig decides about the project's servers"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ mine: {} });
  await scratch.projectServers({ theirs: {} });
  const both = await createAgentSession(scratch.session);
  await both.session.dispose();
  expect(both.mcpManager?.describeServers()).toEqual([]);
  expect(names(both.session.tools.list())).toEqual(expect.arrayContaining(["mcp_mine_echo", "mcp_theirs_echo"]));

  await scratch.write("home/.config/toolgate/config.json", { mcp: { enableProjectConfig: false } });
  const { session } = await createAgentSession(scratch.session);
  await session.dispose();
  expect(names(session.tools.list())).toContain("mcp_mine_echo");
  expect(names(session.tools.list())).not.toContain("mcp_theirs_echo");

  const given = await createAgentSession({ ...scratch.session, settings: { mcp: { enableProjectConfig: true } } });
  await given.session.dispose();
  expect(names(given.session.tools.list())).toContain("mcp_theirs_echo");
});

test(
  verifies("L01 L17", "tools are remembered in the cache of the given home, and used at the next start"),
  async () => {
    await using scratch = await createScratch();
    await scratch.userServers({ slow: {} });
    const first = await createAgentSession(scratch.session);
    await first.session.dispose();
    expect(existsSync(`${scratch.home}/.cache/toolgate/tools`)).toBe(true);

    const result = await createAgentSession({ ...scratch.session, mcp: { startupTimeoutMs: 0 } });
    await using session = result.session;
    const { mcpManager } = result;
    expect(names(session.tools.list())).toContain("mcp_slow_echo");
    expect(mcpManager?.describeServers()).toMatchObject([{ name: "slow", cached: true }]);
  },
);

test(verifies("L01 L14", "Exa servers are taken out, and their key makes the native search"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({
    exa: { entry: { command: "node", args: ["-e", "process.exit(9)"], env: { EXA_API_KEY: "exa-key-0123456789" } } },
  });
  const result = await createAgentSession(scratch.session);
  await using session = result.session;
  const { mcpManager, mcpErrors } = result;
  expect(names(session.tools.active())).toEqual(["exa_search"]);
  expect(mcpManager?.describeServers()).toEqual([]);
  expect(mcpErrors).toEqual([]);
  await session.reloadMCP();
  expect(names(session.tools.active())).toEqual(["exa_search"]);
  await scratch.userServers({});
  await session.reloadMCP();
  expect(names(session.tools.list())).toEqual([]);
});

test(verifies("L01", "the auth storage is asked for the credential of a remote server"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ remote: { entry: { type: "http", url: "http://127.0.0.1:1/mcp" } } });
  const asked: { server: string; url: string }[] = [];
  const { session } = await createAgentSession({
    ...scratch.session,
    authStorage: {
      getToken: (request) => {
        asked.push(request);
        return undefined;
      },
    },
  });
  await session.dispose();
  expect(asked).toEqual([{ server: "remote", url: "http://127.0.0.1:1/mcp" }]);
});

test(verifies("L03", "discoverMCPServers gives what the loader gives"), async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ good: {}, bad: { exitAt: "start" } });
  const { home, env } = scratch;
  const result = await discoverMCPServers(scratch.project, { home, env });
  await using manager = result.manager;
  expect(manager).toBeInstanceOf(MCPManager);
  expect(Object.keys(result).toSorted()).toEqual([
    "connectedServers",
    "errors",
    "exaApiKeys",
    "manager",
    "tools",
    "warnings",
  ]);
  expect(result.connectedServers).toEqual(["good"]);
  expect(result.tools.find((item) => item.tool.name === "mcp_good_echo")?.path).toBe("mcp:good via Cursor");
  expect(result.errors).toEqual([{ path: "mcp:bad", error: expect.any(String) }]);
});

test(verifies("L04 L15", "a discovery that fails is one error of a session that works"), async () => {
  await using scratch = await createScratch();
  const filters = [{ name: "broken", apply: () => Promise.reject(new Error("no")) }];
  const result = await createAgentSession({
    ...scratch.session,
    mcp: { filters },
    tools: [plainTool("native")],
  });
  await using session = result.session;
  const { mcpErrors } = result;
  expect(mcpErrors).toEqual([{ path: ".mcp.json", error: expect.stringContaining("broken") }]);
  expect(names(session.tools.active())).toEqual(["native"]);
});

test(verifies("L65", "a session that ends takes its servers with it, and leaves a given manager alone"), async () => {
  await using scratch = await createScratch();
  const pidFile = scratch.file("pid");
  await scratch.userServers({ good: { pidFile } });
  const { session: first, mcpManager } = await createAgentSession(scratch.session);
  const pid = Number(
    await first.tools
      .get("mcp_good_pid")
      ?.execute({})
      .then((result) => textOf(result)),
  );
  expect(processIsAlive(pid)).toBe(true);

  {
    const result = await createAgentSession({
      ...scratch.session,
      ...(mcpManager === undefined ? {} : { mcpManager }),
    });
    await using session = result.session;
    expect(names(session.tools.list())).toContain("mcp_good_echo");
  }
  expect(processIsAlive(pid)).toBe(true);
  await Promise.all([first.dispose(), first.dispose()]);
  expect(processIsAlive(pid)).toBe(false);
});

test("with the approval hook a project's server waits for its approval", async () => {
  await using scratch = await createScratch();
  const path = await scratch.projectServers({ theirs: {} });
  const trust = createTrustStore({ home: scratch.home, env: scratch.env, platform: process.platform });
  const options = { ...scratch.session, mcp: { approve: createProjectApproval(trust) } };
  const refused = await createAgentSession(options);
  expect(refused.mcpManager?.describeServers()).toMatchObject([{ status: "needs-approval" }]);
  expect(names(refused.session.tools.list())).toEqual([]);

  const entry = (await refused.mcpManager?.loadConfigs())?.entries["theirs"];
  await trust.approve([{ name: "theirs", definition: entry?.definition, path }]);
  await refused.session.dispose();
  const { session } = await createAgentSession(options);
  await session.dispose();
  expect(names(session.tools.list())).toContain("mcp_theirs_echo");
});

test(
  verifies("L50 L51", "a reload takes changes of the files in, and a tool that was switched off stays off"),
  async () => {
    await using scratch = await createScratch();
    const logFile = scratch.file("log");
    await scratch.userServers({ kept: { logFile }, gone: {} });
    const result = await createAgentSession({ ...scratch.session, mcp: AWAITED, tools: [plainTool("native")] });
    await using session = result.session;
    session.tools.setActive(names(session.tools.list()).filter((name) => name !== "mcp_kept_echo"));

    await scratch.userServers({ kept: { logFile }, extra: {} });
    const reloaded = await session.reloadMCP();
    expect(reloaded).toMatchObject({ added: ["extra"], removed: ["gone"], kept: ["kept"] });
    const active = names(session.tools.active());
    expect(active).toEqual(expect.arrayContaining(["native", "mcp_extra_echo", "mcp_kept_add"]));
    expect(active).not.toContain("mcp_kept_echo");
    expect(names(session.tools.list())).toContain("mcp_kept_echo");
    expect(names(session.tools.list()).filter((name) => name.startsWith("mcp_gone_"))).toEqual([]);
    expect(receivedMessages(logFile).filter((message) => message.method === "initialize")).toHaveLength(2);
  },
);

test("with mcp.reload at diff a reload leaves alone what has not changed", async () => {
  await using scratch = await createScratch();
  const logFile = scratch.file("log");
  await scratch.write("home/.config/toolgate/config.json", { mcp: { reload: "diff" } });
  await scratch.userServers({ kept: { logFile }, gone: {}, changed: {} });
  const result = await createAgentSession({ ...scratch.session, mcp: AWAITED });
  await using session = result.session;
  await scratch.userServers({ kept: { logFile }, extra: {}, changed: { toolCount: 1 } });
  expect(await session.reloadMCP()).toMatchObject({
    added: ["extra"],
    removed: ["gone"],
    restarted: ["changed"],
    kept: ["kept"],
  });
  expect(receivedMessages(logFile).filter((message) => message.method === "initialize")).toHaveLength(1);
  const active = names(session.tools.active());
  expect(active).toEqual(expect.arrayContaining(["mcp_changed_tool0", "mcp_extra_echo", "mcp_kept_echo"]));
  expect(active.filter((name) => name.startsWith("mcp_gone_"))).toEqual([]);

  // A file that does not parse, since somebody is in the middle of editing it, ends nothing.
  await scratch.write("home/.cursor/mcp.json", "{");
  const broken = await session.reloadMCP();
  expect(broken).toMatchObject({ removed: [], restarted: [], kept: ["changed", "extra", "kept"] });
  expect(broken.errors.get("kept")).toMatchObject({ code: "CONFIG_UNREADABLE" });
  expect(names(session.tools.active())).toEqual(active);
});

test("settings of the native file decide about reconnecting", async () => {
  await using scratch = await createScratch();
  await scratch.write("home/.config/toolgate/config.json", { mcp: { reconnect: "on-call" } });
  await scratch.userServers({ s: {} });
  const result = await createAgentSession(scratch.session);
  await using session = result.session;
  const connection = result.mcpManager?.getConnection("s");
  expect(result.mcpManager?.describeServers()).toMatchObject([{ reconnect: { state: "idle" } }]);
  process.kill(connection?.pid ?? 0, "SIGKILL");
  await connection?.closed;
  expect(textOf(await session.tools.get("mcp_s_add")?.execute({ a: 40, b: 2 }))).toBe("42");
});

test("with mcp.reload at watch a change of a file is taken over by itself, also of one that appears later", async () => {
  await using scratch = await createScratch();
  const result = await createAgentSession({ ...scratch.session, settings: { mcp: { reload: "watch" } } });
  await using session = result.session;
  expect(session.tools.list()).toEqual([]);
  await scratch.userServers({ extra: {} });
  await waitFor(() => session.tools.get("mcp_extra_echo") !== undefined, "the tools of extra");
  await scratch.userServers({});
  await waitFor(() => session.tools.get("mcp_extra_echo") === undefined, "the end of extra");
});

test("a reload that is under way when the session is closed starts nothing", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ s: {} });
  let isReloading = false;
  let asked = (): void => {};
  const wasAsked = new Promise<void>((resolve) => {
    asked = resolve;
  });
  let answer = (): void => {};
  const held = new Promise<void>((resolve) => {
    answer = resolve;
  });
  const { session, mcpManager } = await createAgentSession({
    ...scratch.session,
    settings: { mcp: { reload: "diff" } },
    discoveryOptions: async () => {
      if (isReloading) {
        asked();
        await held;
      }
      return {};
    },
  });
  isReloading = true;
  const reloading = session.reloadMCP();
  await wasAsked;
  await session.dispose();
  answer();
  await expect(reloading).rejects.toMatchObject({ code: "CLOSED" });
  expect(mcpManager?.describeServers()).toEqual([]);
});

test(verifies("L52", "a call that had to wait for its server brings the session's tools up to date"), async () => {
  await using scratch = await createScratch();
  const gate = scratch.file("gate");
  const toolsFile = await scratch.write("tools.json", [definition("echo")]);
  await scratch.userServers({ late: { toolsFile, waitForFile: { initialize: gate } } });
  await scratch.write("gate", "");
  const warm = await createAgentSession(scratch.session);
  expect(names(warm.session.tools.list())).toEqual(["mcp_late_echo"]);
  await warm.session.dispose();

  await rm(gate);
  await scratch.write("tools.json", [definition("echo"), definition("add")]);
  const result = await createAgentSession({ ...scratch.session, mcp: { startupTimeoutMs: 0 } });
  await using session = result.session;
  const { mcpManager } = result;
  expect(mcpManager?.getConnectionStatus("late")).toBe("connecting");
  expect(names(session.tools.list())).toEqual(["mcp_late_echo"]);
  const calling = session.tools.get("mcp_late_echo")?.execute({ text: "hi" });
  await scratch.write("gate", "");
  expect(textOf(await calling)).toBe("hi");
  expect(names(session.tools.active())).toEqual(["mcp_late_add", "mcp_late_echo"]);
});

test(
  verifies("L52 L33", "waiting for a server brings the tools up to date, and so does their late arrival"),
  async () => {
    await using scratch = await createScratch();
    const waitForFile = { initialize: scratch.file("gate"), "tools/list": scratch.file("list-gate") };
    const other = { waitForFile: { initialize: scratch.file("other-gate") } };
    await scratch.userServers({ late: { waitForFile }, other });
    const applied: number[] = [];
    const result = await createAgentSession({
      ...scratch.session,
      mcp: { startupTimeoutMs: 0, uncachedPending: "defer" },
      applyTools: (active) => {
        applied.push(active.length);
      },
    });
    await using session = result.session;
    expect(applied).toEqual([0]);
    let hasReturned = false;
    const waitForIt = async (): Promise<void> => {
      await session.waitForMCPServer("late");
      hasReturned = true;
    };
    const waiting = waitForIt();
    await scratch.write("gate", "");
    await waitFor(() => session.mcpManager?.getConnectionStatus("late") === "connected", "the connection");
    // Connected, and its list still on the way.
    expect(hasReturned).toBe(false);
    expect(applied).toEqual([0]);
    await scratch.write("list-gate", "");
    await waiting;
    expect(session.tools.get("mcp_late_echo")).toBeDefined();
    expect(applied.at(-1)).toBe(11);
    // Also for one that has been there all the time.
    await session.refreshMCPTools([]);
    await session.waitForMCPServer("late");
    expect(session.tools.get("mcp_late_echo")).toBeDefined();
    await scratch.write("other-gate", "");
    await waitFor(() => session.tools.get("mcp_other_echo"), "the late tools");
    expect(applied.at(-1)).toBe(22);
    await expect(session.waitForMCPServer("nobody")).rejects.toMatchObject({ code: "NOT_CONNECTED" });
  },
);

function definition(name: string): object {
  return { name, inputSchema: { type: "object" } };
}

function textOf(result: { content: { type: string }[] } | undefined): string {
  const [first] = result?.content ?? [];
  return String(Reflect.get(first ?? {}, "text"));
}
