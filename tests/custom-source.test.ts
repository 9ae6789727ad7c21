import { execFile } from "node:child_process";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { temporaryDirectory } from "../tooling/fixture-servers/index.mjs";

const root = fileURLToPath(new URL("../", import.meta.url));
const execute = promisify(execFile);
const WORKSPACES = [
  ...["contracts", "capability-discovery", "mcp-client", "mcp-manager", "tool-cache", "exa-filter"].map(
    (name) => `packages/${name}`,
  ),
  "apps/agent",
  "examples/custom-source",
];

interface Sources {
  servers: { name: string; source: { provider: string; path: string } }[];
  warnings: unknown[];
}

test("the example plugin, packed and installed with the agent in an empty project, is loaded by configuration and by code", async () => {
  await using directory = await temporaryDirectory();
  const [packed, project, home] = ["packed", "project", "home"].map((name) => join(directory.path, name)) as [
    string,
    string,
    string,
  ];
  await Promise.all(
    [packed, project, join(home, ".config", "toolgate")].map((path) => mkdir(path, { recursive: true })),
  );
  const workspaces = WORKSPACES.flatMap((folder) => ["--workspace", folder]);
  await execute("npm", ["pack", "--silent", "--ignore-scripts", "--pack-destination", packed, ...workspaces], {
    cwd: root,
  });
  const tarballs = (await readdir(packed)).map((name) => join(packed, name));
  expect(tarballs).toHaveLength(WORKSPACES.length);
  await writeFile(join(project, "package.json"), '{ "name": "empty", "private": true, "type": "module" }');
  await execute("npm", ["install", "--prefer-offline", "--no-audit", "--no-fund", ...tarballs], { cwd: project });

  await writeFile(join(project, "servers.ini"), "[from-ini]\ncommand = node\nargs[] = server.js\n");
  const config = join(home, ".config", "toolgate", "config.json");
  await writeFile(config, '{ "plugins": ["toolgate-example-custom-source"] }');
  const env = { PATH: process.env["PATH"] ?? "", HOME: home };
  const run = async (words: string[]): Promise<unknown> =>
    JSON.parse((await execute(process.execPath, words, { cwd: project, env })).stdout) as unknown;

  const bin = join(project, "node_modules", "@toolgate", "agent", "bin", "toolgate.js");
  const byConfiguration = (await run([bin, "mcp", "sources", "--json"])) as Sources;
  expect(byConfiguration.warnings).toEqual([]);
  expect(byConfiguration.servers).toEqual([
    expect.objectContaining({
      name: "from-ini",
      source: expect.objectContaining({ provider: "servers-ini", path: join(project, "servers.ini") }) as unknown,
    }),
  ]);
  const chosen = (await run([bin, "mcp", "sources", "--json", "--providers", "servers-ini"])) as Sources;
  expect(chosen.servers.map(({ name }) => name)).toEqual(["from-ini"]);

  await writeFile(
    join(project, "by-code.js"),
    `import { loadAllMCPConfigs } from "@toolgate/mcp-manager";
     import { serversIniProvider } from "toolgate-example-custom-source";
     const { configs } = await loadAllMCPConfigs(process.cwd(), { providers: [serversIniProvider] });
     console.log(JSON.stringify(configs));`,
  );
  expect(await run(["by-code.js"])).toEqual({ "from-ini": { command: "node", args: ["server.js"] } });
});
