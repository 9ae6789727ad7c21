/**
 * Measures the start: P1 and P1b (cold), P2 (warm with a gate of 0), P3 (how punctual the gate is), P4 (import), and
 * P11 (discovery).
 * Everything that is compared runs interleaved in one go, since times on a shared machine drift; read the ratios.
 *
 * `npm run bench -- --rounds 5` (default 5); `--quick` runs one round and fewer servers, to see that it works.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

import { ANCHOR_TOOLS, anchorServers, createScratch } from "./anchor-servers.mjs";
import { median, quantile, runScript } from "./run-script.mjs";

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "5" }, quick: { type: "boolean", default: false } },
});
const rounds = values.quick ? 1 : Number(values.rounds);
const script = (/** @type {string} */ name) => fileURLToPath(new URL(name, import.meta.url));
const inline = (/** @type {string} */ code) => ["--input-type=module", "-e", code];

await benchDiscovery();
await benchStart();
await benchGate();

async function benchDiscovery() {
  const result = await runScript([script("measure-discovery.mjs"), values.quick ? "20" : "200"]);
  const { files, servers, plain = Number.NaN, full = Number.NaN, first, empty, firstEmpty } = result;
  print(`Discovery of ${files} files with ${servers} servers, medians within one process`, [
    ["reading and JSON.parse", plain, "", ""],
    ["P11 discovery", full, full / plain, "<= 3 x reading and JSON.parse"],
    ["P11 discovery of an empty home", empty ?? "", "", "<= 5 ms"],
    ["first discovery, parsers imported", first ?? "", "", ""],
    ["first discovery, empty home", firstEmpty ?? "", "", ""],
  ]);
}

async function benchStart() {
  const scratch = createScratch(anchorServers);
  const { home, project, cache } = scratch;
  const tasks = {
    bare: () => runScript(["-e", "console.log('ready')"]),
    importManager: () => runScript(inline("await import('@toolgate/mcp-manager')")),
    importSdk: () =>
      runScript(
        inline(
          "await import('@modelcontextprotocol/sdk/client/index.js'); await import('@modelcontextprotocol/sdk/client/stdio.js')",
        ),
      ),
    floor: () => runScript([script("measure-floor.mjs"), project]),
    cold: () => {
      rmSync(cache, { recursive: true, force: true });
      return runScript([script("measure-start.mjs"), home, project, cache, "Infinity"]);
    },
    // Runs after a cold start has filled the cache.
    warm: () => runScript([script("measure-start.mjs"), home, project, cache, "0"]),
  };
  /** @type {Record<string, Awaited<ReturnType<typeof runScript>>[]>} */
  const results = Object.fromEntries(Object.keys(tasks).map((name) => [name, []]));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, task] of Object.entries(tasks)) results[name]?.push(await task());
    process.stderr.write(`round ${round + 1} of ${rounds}\n`);
  }
  scratch.remove();

  const middle = (/** @type {string} */ name, /** @type {string} */ field) =>
    median((results[name] ?? []).map((result) => result[field] ?? Number.NaN));
  const bare = middle("bare", "wall");
  const complete = ["cold", "warm"].every((name) => results[name]?.every((result) => result["tools"] === ANCHOR_TOOLS));
  print(`Ten real servers, ${rounds} rounds, medians; node ${process.version}`, [
    ["bare node -e", bare, "", ""],
    ["floor, first tools", middle("floor", "first"), "", ""],
    ["floor, all tools", middle("floor", "all"), "", ""],
    [
      "P1  cold, all tools",
      middle("cold", "all"),
      middle("cold", "all") / middle("floor", "all"),
      "<= 0.95 x floor, all",
    ],
    [
      "P1b cold, first tools",
      middle("cold", "first"),
      middle("cold", "first") / middle("floor", "all"),
      "<= 0.25 x floor, all",
    ],
    ["P2  warm, gate 0", middle("warm", "all"), middle("warm", "all") / bare, "<= 1.7 x bare"],
    [
      "P4  import manager",
      middle("importManager", "wall") - bare,
      (middle("importManager", "wall") - bare) / (middle("importSdk", "wall") - bare),
      "<= 0.35 x SDK import",
    ],
  ]);
  console.log(
    complete ? `All ${ANCHOR_TOOLS} tools were there each time.` : `Not every start had all ${ANCHOR_TOOLS} tools.`,
  );
}

async function benchGate() {
  const cache = mkdtempSync(join(tmpdir(), "toolgate-bench-gate-"));
  const rows = [];
  for (const count of values.quick ? [1, 10] : [1, 10, 20, 50]) {
    await runScript([script("measure-gate.mjs"), String(count), cache, "fill"]);
    /** @type {number[]} */
    const elapsed = [];
    for (let round = 0; round < Math.max(rounds * 2, 3); round += 1) {
      elapsed.push((await runScript([script("measure-gate.mjs"), String(count), cache]))["elapsed"] ?? Number.NaN);
    }
    process.stderr.write(`gate with ${count} servers\n`);
    const p95 = quantile(elapsed, 0.95);
    rows.push([
      `P3  ${count} servers, p50 / p95 / p99`,
      [0.5, 0.95, 0.99].map((part) => quantile(elapsed, part).toFixed(0)).join(" / "),
      p95 / 250,
      "p95 <= 1.10 x 250 ms",
    ]);
  }
  rmSync(cache, { recursive: true, force: true });
  print("The gate of 250 ms while servers start", rows);
}

/** @param {string} title @param {(string | number)[][]} rows */
function print(title, rows) {
  console.log(`\n${title}`);
  for (const [name, value, ratio, target] of rows) {
    const milliseconds = typeof value === "number" ? value.toFixed(value < 10 ? 1 : 0) : value;
    const shown = typeof ratio === "number" ? `${ratio.toFixed(2)} x` : "";
    console.log(
      `  ${String(name).padEnd(36)}${String(milliseconds).padStart(14)} ms  ${shown.padStart(8)}  ${target ?? ""}`,
    );
  }
}
