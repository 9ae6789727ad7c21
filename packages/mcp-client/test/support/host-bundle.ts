import { mkdir, rm } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { rolldown } from "rolldown";

/** Bundles a host program of the tests for plain Node.js, beside the packages that it imports. */
export async function bundleHost(): Promise<{ path: string; remove(): Promise<void> }> {
  const directory = fileURLToPath(
    new URL(`../../../../node_modules/.cache/toolgate-mcp-client-test/${process.pid}/`, import.meta.url),
  );
  await mkdir(directory, { recursive: true });
  const bundle = await rolldown({
    input: { host: fileURLToPath(new URL("../servers/host.ts", import.meta.url)) },
    platform: "node",
    resolve: { conditionNames: ["@toolgate/source", "node", "import", "default"] },
    external: /^(@modelcontextprotocol\/|undici)/,
  });
  await bundle.write({
    dir: directory,
    format: "esm",
    entryFileNames: "[name].mjs",
    chunkFileNames: "[name]-[hash].mjs",
  });
  await bundle.close();
  return { path: `${directory}host.mjs`, remove: () => rm(directory, { recursive: true, force: true }) };
}
