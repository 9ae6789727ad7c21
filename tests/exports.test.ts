import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

/** Entry points of every package and the names that exist at run time: a change here is a change for users. */
const root = new URL("..", import.meta.url);

async function namesByEntryPoint(): Promise<Record<string, string[]>> {
  const names: Record<string, string[]> = {};
  for (const folder of ["packages", "apps"]) {
    for (const name of readdirSync(new URL(folder, root)).toSorted()) {
      const manifestUrl = new URL(`${folder}/${name}/package.json`, root);
      const manifest = JSON.parse(readFileSync(manifestUrl, "utf8")) as {
        name: string;
        exports: Record<string, string | Record<string, string>>;
      };
      for (const [entry, target] of Object.entries(manifest.exports)) {
        if (typeof target === "string") continue;
        const source = fileURLToPath(new URL(target["@toolgate/source"] ?? "", manifestUrl));
        const module = (await import(source)) as Record<string, unknown>;
        names[manifest.name + entry.slice(1)] = Object.keys(module).toSorted();
      }
    }
  }
  return names;
}

// Update with: npx vitest run --project workspace tests/exports.test.ts --update
test("the packages export these names", async () => {
  expect(await namesByEntryPoint()).toMatchInlineSnapshot(`
    {
      "@toolgate/agent": [
        "EXA_BASE_URL",
        "createAgentSession",
        "createExaSearchTool",
        "createProjectApproval",
        "createToolRegistry",
        "createTrustStore",
        "discoverMCPServers",
        "hashDefinition",
      ],
      "@toolgate/capability-discovery": [
        "LEVEL_RANK",
        "MAX_CONFIG_FILE_BYTES",
        "addServer",
        "createCapabilityRegistry",
        "createFileProvider",
        "defineCapability",
        "defineProvider",
        "findNativeUserFile",
        "loadNativeSettings",
        "mcpCapability",
        "mcpProviders",
        "removeServer",
        "setServerDisabledOverlay",
        "setServerEnabled",
      ],
      "@toolgate/capability-discovery/testing": [
        "describeProvider",
      ],
      "@toolgate/contracts": [
        "SECRET_MASK",
        "ToolgateError",
        "collectSecrets",
        "createRedactor",
        "isRecord",
        "isSecretName",
        "maskServerConfig",
        "maskUrl",
        "messageOf",
        "silentLogger",
        "transportOf",
        "validateServerConfig",
      ],
      "@toolgate/exa-filter": [
        "exaFilter",
        "extractExaApiKey",
        "filterExaServers",
        "isExaServer",
      ],
      "@toolgate/mcp-client": [
        "buildChildEnvironment",
        "callTool",
        "complete",
        "connectToServer",
        "disconnectServer",
        "ensureProcessSupervisor",
        "findCommand",
        "getPrompt",
        "killAllChildren",
        "listPrompts",
        "listResourceTemplates",
        "listResources",
        "listTools",
        "ping",
        "readResource",
        "setLoggingLevel",
        "whenBootIdle",
      ],
      "@toolgate/mcp-manager": [
        "DeferredMCPTool",
        "MAX_TOOL_NAME_LENGTH",
        "MCPManager",
        "MCPTool",
        "STARTUP_TIMEOUT_MS",
        "callTool",
        "connectToServer",
        "createMcpToolName",
        "createNameMatcher",
        "createSubagentTools",
        "disconnectServer",
        "discoverAndLoadMCPTools",
        "findTool",
        "isServerTool",
        "listTools",
        "loadAllMCPConfigs",
        "systemClock",
      ],
      "@toolgate/tool-cache": [
        "FileStore",
        "MCPToolCache",
        "createToolCache",
        "toolCacheDirectory",
      ],
      "@toolgate/tool-cache/testing": [
        "describeToolCacheStore",
      ],
    }
  `);
});
