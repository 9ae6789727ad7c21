import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { defineProvider } from "@toolgate/capability-discovery";
import type { MCPServerItem } from "@toolgate/capability-discovery";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import * as api from "../src/index.ts";
import { discoverAndLoadMCPTools, loadAllMCPConfigs } from "../src/index.ts";
import type { Workbench } from "./support/workbench.ts";
import { createWorkbench, textOf } from "./support/workbench.ts";

const KEY = "0f9c7a52-1111-4222-8333-abcdefabcdef";

test(verifies("L10 L13 L14", "configs, sources and everything that is not started are there, by name"), async () => {
  await using bench = await createWorkbench();
  const { project, home } = await writeHome(bench);
  const loaded = await loadAllMCPConfigs(project, { home, env: { HOME: home } });
  expect(Object.keys(loaded.configs).toSorted()).toEqual(["files", "notes"]);
  expect(loaded.configs["files"]).toEqual({ command: "project-files" });
  expect(loaded.sources["files"]).toMatchObject({ provider: "mcp-json", providerName: ".mcp.json", level: "project" });
  expect(loaded.sources["notes"]).toEqual({
    provider: "cursor",
    providerName: "Cursor",
    path: join(home, ".cursor", "mcp.json"),
    level: "user",
  });
  expect(Object.keys(loaded.disabled)).toEqual(["off"]);
  expect(Object.keys(loaded.filtered)).toEqual(["exa"]);
  expect(loaded.exaApiKeys).toEqual([KEY]);
  expect(loaded.shadowed).toMatchObject([{ name: "files", shadowedBy: { provider: "mcp-json" } }]);
  expect(loaded.warnings).toMatchObject([{ path: join(project, ".vscode", "mcp.json") }]);
  expect(loaded.entries["files"]?.definition).toEqual({ command: "project-files" });
});

test(verifies("L12", "without project configuration the user's entry of the same name is used"), async () => {
  await using bench = await createWorkbench();
  const { project, home } = await writeHome(bench);
  const loaded = await loadAllMCPConfigs(project, { home, env: { HOME: home }, enableProjectConfig: false });
  expect(loaded.configs["files"]).toEqual({ command: "user-files" });
  expect(loaded.shadowed).toEqual([]);
});

test(verifies("L13", "servers can be switched off and on whatever their file says"), async () => {
  await using bench = await createWorkbench();
  const { project, home } = await writeHome(bench);
  const places = { home, env: { HOME: home } };
  const loaded = await loadAllMCPConfigs(project, { ...places, disabledServers: ["notes"], enabledServers: ["off"] });
  expect(Object.keys(loaded.disabled)).toEqual(["notes"]);
  expect(loaded.configs["off"]).toMatchObject({ command: "off", enabled: true });
});

test(
  verifies("L15", "a filter that throws stops everything: no tools, one error, and the manager all the same"),
  async () => {
    await using bench = await createWorkbench();
    const { project, home } = await writeHome(bench);
    const filters = [{ name: "policy", apply: () => Promise.reject(new Error("the policy is gone")) }];
    const result = await discoverAndLoadMCPTools(project, { home, env: { HOME: home }, filters });
    expect(result).toMatchObject({ tools: [], connectedServers: [], warnings: [] });
    expect(result.errors).toEqual([{ path: ".mcp.json", error: expect.stringContaining("the policy is gone") }]);
    expect(result.manager.describeServers()).toEqual([]);
  },
);

test(verifies("L15 L16", "a provider of one's own is asked, and one that throws is a warning"), async () => {
  await using bench = await createWorkbench();
  const config = bench.server("own", { toolCount: 1 });
  const own = defineProvider<MCPServerItem>({
    id: "registry",
    displayName: "Service registry",
    priority: 10,
    load: () => ({
      items: [
        { name: "own", config, definition: config, _source: { path: "https://registry.example", level: "user" } },
      ],
    }),
  });
  const broken = defineProvider<MCPServerItem>({
    id: "broken",
    displayName: "Broken",
    priority: 5,
    load: () => Promise.reject(new Error("no network")),
  });
  const result = await discoverAndLoadMCPTools(bench.directory, {
    providers: [own, broken],
    home: bench.directory,
    env: {},
  });
  try {
    expect(result.tools.map(({ path, tool }) => [path, tool.name])).toEqual([
      ["mcp:own via Service registry", "mcp_own_tool0"],
    ]);
    expect(result.warnings).toEqual([expect.objectContaining({ message: expect.stringContaining("no network") })]);
  } finally {
    await result.manager.disconnectAll();
  }
});

test(
  verifies("L40 L15", "loaded tools are labelled with server and provider, and a failed server with its name"),
  async () => {
    await using bench = await createWorkbench();
    const manager = bench.createManager();
    await manager.connectServers({ bare: bench.server("bare", { toolCount: 1 }) });
    const result = await discoverAndLoadMCPTools(bench.directory, {
      providers: [],
      home: bench.directory,
      env: {},
      runtimeServers: {
        good: bench.server("good", { toolCount: 1 }),
        bad: bench.server("bad", { exitAt: "start", exitCode: 4 }),
      },
    });
    try {
      expect(result.tools.map(({ path }) => path)).toEqual(["mcp:good via Runtime"]);
      expect(result.errors).toEqual([{ path: "mcp:bad", error: expect.stringContaining("4") }]);
      expect(result.connectedServers).toEqual(["good"]);
    } finally {
      await result.manager.disconnectAll();
    }
  },
);

test(
  verifies("L17", "discoverAndConnect reuses the constructor's options, and home and env replace the process's own"),
  async () => {
    await using bench = await createWorkbench();
    const { project, home } = await writeHome(bench);
    const config = bench.server("envy");
    await writeJson(join(home, ".cursor", "mcp.json"), {
      mcpServers: { envy: { ...config, env: { OWN: "${env:MARK}" } } },
    });
    const manager = bench.createManager({
      home,
      env: { HOME: home, PATH: process.env["PATH"], MARK: "from-the-host", PRIVATE: "stays-with-the-host" },
      providers: ["cursor"],
    });
    void project;
    const { tools, exaApiKeys } = await manager.discoverAndConnect();
    const env = tools.find((tool) => tool.name === "mcp_envy_env");
    const read = async (name: string): Promise<string> => textOf((await env?.execute({ name })) ?? { content: [] });
    expect(exaApiKeys).toEqual([]);
    expect(await read("OWN")).toBe("from-the-host");
    expect(await read("HOME")).toBe(home);
    expect(await read("PRIVATE")).toBe("<unset>");
  },
);

test("a project's server starts in the folder of its project, also when the session works further down", async () => {
  await using bench = await createWorkbench();
  const project = join(bench.directory, "project");
  await mkdir(join(project, ".git"), { recursive: true });
  await mkdir(join(project, "deep", "down"), { recursive: true });
  await writeJson(join(project, ".mcp.json"), { mcpServers: { here: bench.server("here") } });
  const result = await discoverAndLoadMCPTools(join(project, "deep", "down"), {
    home: bench.directory,
    env: { HOME: bench.directory, PATH: process.env["PATH"] },
  });
  try {
    const cwd = result.tools.find(({ tool }) => tool.name === "mcp_here_cwd");
    expect(textOf((await cwd?.tool.execute({})) ?? { content: [] })).toBe(project);
  } finally {
    await result.manager.disconnectAll();
  }
});

test(verifies("L05", "the index exports what a host needs of loader, manager, tools and client"), () => {
  expect(Object.keys(api).toSorted()).toMatchInlineSnapshot(`
    [
      "CALL_CHANNEL",
      "DeferredMCPTool",
      "MAX_INSTRUCTIONS_CHARACTERS",
      "MAX_MEDIA_BYTES",
      "MAX_TEXT_BYTES",
      "MAX_TOOL_NAME_LENGTH",
      "MCPManager",
      "MCPTool",
      "SERVER_CHANNEL",
      "STARTUP_TIMEOUT_MS",
      "callTool",
      "connectToServer",
      "createMcpToolName",
      "createNameMatcher",
      "createSubagentToolSet",
      "createSubagentTools",
      "cutText",
      "disconnectServer",
      "discoverAndLoadMCPTools",
      "findTool",
      "formatResourceAddress",
      "isServerTool",
      "listTools",
      "loadAllMCPConfigs",
      "parseResourceAddress",
      "resultsDirectory",
      "systemClock",
    ]
  `);
});

async function writeHome(bench: Workbench): Promise<{ home: string; project: string }> {
  const [home, project] = [join(bench.directory, "home"), join(bench.directory, "project")];
  await writeJson(join(home, ".cursor", "mcp.json"), {
    mcpServers: {
      files: { command: "user-files" },
      notes: { command: "notes" },
      off: { command: "off", enabled: false },
      exa: { command: "npx", args: ["exa-mcp-server"], env: { EXA_API_KEY: KEY } },
    },
  });
  await writeJson(join(project, ".mcp.json"), { mcpServers: { files: { command: "project-files" } } });
  await mkdir(join(project, ".vscode"), { recursive: true });
  await writeFile(join(project, ".vscode", "mcp.json"), "{ this is not JSON");
  return { home, project };
}

async function writeJson(file: string, content: object): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, JSON.stringify(content));
}
