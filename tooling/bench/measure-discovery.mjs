/**
 * Discovery against reading the same files and `JSON.parse`, interleaved in one process. The first load, which imports
 * the parsers that are needed, is given apart. Prints medians in milliseconds.
 *
 * Argument: number of rounds.
 */
import { readFile } from "node:fs/promises";

import { createCapabilityRegistry, mcpCapability, mcpProviders } from "@toolgate/capability-discovery";

import { createDiscoveryHome } from "./discovery-home.mjs";
import { median } from "./run-script.mjs";

const rounds = Number(process.argv[2] ?? 200);
const { home, project, empty, files, remove } = createDiscoveryHome();
const registry = createCapabilityRegistry();
for (const provider of mcpProviders) registry.register(mcpCapability, provider);

const discover = (/** @type {string} */ from, cwd = from) =>
  registry.load(mcpCapability, { home: from, cwd, env: {}, platform: "linux" });
const tasks = {
  plain: () =>
    Promise.all(
      files.map(async ({ path, json }) => {
        await readFile(path, "utf8");
        return JSON.parse(json);
      }),
    ),
  full: () => discover(home, project),
  empty: () => discover(empty),
};

const elapsed = async (/** @type {() => Promise<unknown>} */ task) => {
  const started = performance.now();
  await task();
  return performance.now() - started;
};
const firstEmpty = await elapsed(tasks.empty);
const first = await elapsed(tasks.full);
/** @type {Record<keyof typeof tasks, number[]>} */
const times = { plain: [], full: [], empty: [] };
for (let round = 0; round < rounds; round += 1) {
  for (const name of /** @type {(keyof typeof tasks)[]} */ (Object.keys(tasks)))
    times[name].push(await elapsed(tasks[name]));
}
const { items, warnings } = await tasks.full();
remove();
process.stdout.write(
  `${JSON.stringify({
    first,
    firstEmpty,
    plain: median(times.plain),
    full: median(times.full),
    empty: median(times.empty),
    files: files.length,
    servers: items.length,
    warnings: warnings.length,
  })}\n`,
);
