import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";

/** Bundles a host program of the tests for plain Node.js, beside the packages that it imports. */
export async function bundleHost(program = "host"): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = fileURLToPath(
    new URL(`../../../../node_modules/.cache/toolgate-mcp-client-test/${process.pid}-${program}/`, import.meta.url),
  );
  await mkdir(directory, { recursive: true });
  const bundle = await rolldown({
    input: { [program]: fileURLToPath(new URL(`../servers/${program}.ts`, import.meta.url)) },
    platform: "node",
    resolve: { conditionNames: ["@toolgate/source", "node", "import", "default"] },
    external: /^(?:@modelcontextprotocol\/|undici|proper-lockfile$|write-file-atomic$)/,
  });
  await bundle.write({
    dir: directory,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
  return { path: `${directory}${program}.mjs`, remove: () => rm(directory, { recursive: true, force: true }) };
}
