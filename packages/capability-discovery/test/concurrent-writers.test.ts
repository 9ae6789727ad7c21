import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";
import { afterAll, beforeAll, expect, test } from "vitest";

import { makeFolders } from "./support/temporary-folder.ts";

const packageFolder = fileURLToPath(new URL("..", import.meta.url));
// Below node_modules, so that the bundle finds the dependencies.
const bundleFolder = fileURLToPath(new URL(`../node_modules/.test-${process.pid}/`, import.meta.url));

// Node cannot run the sources themselves, and a test must not depend on an earlier build.
beforeAll(async () => {
  const bundle = await rolldown({
    cwd: packageFolder,
    input: "src/index.ts",
    platform: "node",
    external: ["cosmiconfig", "jsonc-parser", "proper-lockfile", "smol-toml", "write-file-atomic"],
    resolve: { conditionNames: ["@toolgate/source", "node", "import"] },
  });
  await bundle.write({ dir: bundleFolder, format: "esm", codeSplitting: false, entryFileNames: "writer.mjs" });
  await bundle.close();
});

afterAll(() => rm(bundleFolder, { recursive: true, force: true }));

test.each([
  ["mcp-json", ".mcp.json"],
  ["cursor", ".cursor/mcp.json"],
])("ten processes that add servers of %s at once lose nothing", async (provider, path) => {
  const { project } = await makeFolders();
  const file = join(project, path);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '{\n  // kept\n  "mcpServers": { "first": { "command": "x" } }\n}\n');
  const script = join(bundleFolder, "add.mjs");
  await writeFile(
    script,
    `import { addServer, findWriteTarget } from "./writer.mjs";
     const [provider, cwd, name] = process.argv.slice(2);
     const context = { cwd, home: cwd + "/home", env: {}, platform: process.platform };
     const target = findWriteTarget(provider, { level: "project", context });
     for (const part of ["x", "y"]) await addServer(target.path, name + part, { command: name }, target);`,
  );
  const names = Array.from({ length: 10 }, (_, index) => `server-${index}`);
  const ends = await Promise.all(
    names.map(async (name) => {
      const child = spawn(process.execPath, [script, provider, project, name], { stdio: ["ignore", "ignore", "pipe"] });
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
      const [code] = (await once(child, "close")) as [number | null];
      return { code, stderr };
    }),
  );
  expect(ends).toEqual(names.map(() => ({ code: 0, stderr: "" })));
  const text = await readFile(file, "utf8");
  expect(text).toContain("// kept");
  const servers = (JSON.parse(text.replace("// kept", "")) as { mcpServers: object }).mcpServers;
  expect(Object.keys(servers).toSorted()).toEqual(
    ["first", ...names.flatMap((name) => [`${name}x`, `${name}y`])].toSorted(),
  );
  // Neither locks nor temporary files are left.
  expect((await readdir(dirname(file))).filter((entry) => entry !== ".git")).toEqual([basename(file)]);
});
