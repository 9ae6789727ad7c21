import { join } from "node:path";

import { MCPConfigRegistry } from "@gleanwork/mcp-config-schema";
import { expect, test } from "vitest";

import { mcpProviders } from "../src/index.ts";
import { PLATFORMS } from "./support/corpus.ts";
import { loadServers, makeFolders, writeFiles } from "./support/temporary-folder.ts";

// A second opinion on where clients keep their servers and how they write them, kept by other people. What it says is
// read by our providers; every difference stands here with its reason, and one that is gone must go from here too.
const DIFFERENCES: Record<string, string> = {
  "chatgpt: file": "a web application, which has no file",
  "claude-teams-enterprise: file": "configured by the organisation, not in a file",
  "linear: file": "a web application, which has no file",
  "jetbrains: file":
    "the assistant of the IDE keeps its servers in the IDE's own storage; the data names no file either",
  "claude-desktop: http": "its file has no remote servers; both sides agree, the data writes a bridge process instead",
};

/** Ids that are another provider's second program with the same kind of file. */
const PROVIDER_IDS: Record<string, string> = { "cursor-agent": "cursor", "antigravity-cli": "antigravity" };

const HOME = { linux: "/home/ana", darwin: "/Users/ana", win32: "C:\\Users\\ana" };
const STDIO = { command: "npx", args: ["-y", "@acme/mcp"], env: { ACME_KEY: "k" } };
const HTTP = { type: "http", url: "https://acme.example/mcp", headers: { "X-Key": "k" } };

const registry = new MCPConfigRegistry({ serverPackage: "@acme/mcp" });

/** Where the data and our reading part, as keys of {@link DIFFERENCES}. */
async function findDifferences({
  id,
  configPath,
}: ReturnType<typeof registry.getAllConfigs>[number]): Promise<string[]> {
  const provider = mcpProviders.find((candidate) => candidate.id === (PROVIDER_IDS[id] ?? id));
  if (provider === undefined || configPath.linux === undefined) return [`${id}: file`];
  const differences: string[] = [];
  for (const platform of PLATFORMS) {
    const home = HOME[platform];
    // oxlint-disable-next-line no-await-in-loop -- three short questions
    const files = await provider.files?.({ cwd: home, home, env: {}, platform });
    const path = configPath[platform]
      ?.replace(/^\$HOME|^%USERPROFILE%/, home)
      .replace(/^%APPDATA%/, `${home}\\AppData\\Roaming`);
    if (files?.some((file) => file.path === path) !== true) differences.push(`${id}: path on ${platform}`);
  }
  const builder = registry.createBuilder(id);
  const connections = {
    stdio: { transport: "stdio", serverName: "acme", env: STDIO.env },
    http: { transport: "http", serverName: "acme", serverUrl: HTTP.url, headers: HTTP.headers },
  } as const;
  for (const [transport, connection] of Object.entries(connections)) {
    const text = builder.toString(builder.buildConfiguration(connection));
    // oxlint-disable-next-line no-await-in-loop -- each in a folder of its own
    const folders = await makeFolders();
    // oxlint-disable-next-line no-await-in-loop -- as above
    await writeFiles(folders.root, { [join("home", configPath.linux.replace("$HOME/", ""))]: text });
    // oxlint-disable-next-line no-await-in-loop -- as above
    const { items } = await loadServers(folders, { providers: [provider] });
    const { type = "stdio", timeout: _timeout, enabled: _enabled, ...config } = items[0]?.config ?? {};
    const expected = transport === "stdio" ? { type: "stdio", ...STDIO } : HTTP;
    if (JSON.stringify({ type, ...config }) !== JSON.stringify(expected)) differences.push(`${id}: ${transport}`);
  }
  return differences;
}

test("what the public data on clients says is what our providers read, but for the differences that have a reason", async () => {
  const clients = registry.getAllConfigs();
  expect(clients.length).toBeGreaterThan(15);
  const found = (await Promise.all(clients.map(findDifferences))).flat();
  expect(found.toSorted()).toEqual(Object.keys(DIFFERENCES).toSorted());
});
