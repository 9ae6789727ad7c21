/** What a process holds, and whether it holds more than before. */
import { readdirSync, readFileSync } from "node:fs";

/** Bytes by which the heap may differ: what the engine keeps for itself moves that much. */
const HEAP_TOLERANCE = 4 * 1024 * 1024;
/** Milliseconds for pooled sockets to reach the end of their idle time, and for ended processes to be reaped. */
const SETTLE_LIMIT = 15_000;
const INTERVAL = 250;

/**
 * @typedef {object} Figures
 * @property {number} processes - descendants of this process
 * @property {number} descriptors
 * @property {number} resources - what keeps the event loop alive, as far as Node.js tells
 * @property {number} listeners - of `process`
 * @property {number} heap - bytes in use after a collection
 */

/**
 * Reads the figures once they have settled: at the latest after a bounded time, sooner when none is above an earlier one.
 *
 * @param {Figures} [earlier]
 * @returns {Promise<Figures>}
 */
export async function measure(earlier) {
  const limit = performance.now() + SETTLE_LIMIT;
  for (;;) {
    await new Promise((resolve) => setTimeout(resolve, INTERVAL));
    const figures = read();
    if (performance.now() > limit) return figures;
    if (earlier !== undefined && grown(earlier, figures).length === 0) return figures;
  }
}

/**
 * The names of the figures that have grown.
 *
 * @param {Figures} before @param {Figures} after
 */
export function grown(before, after) {
  const problems = /** @type {const} */ (["processes", "descriptors", "resources", "listeners"])
    .filter((name) => after[name] > before[name])
    .map(String);
  if (after.heap > before.heap + HEAP_TOLERANCE) problems.push("heap");
  return problems;
}

/** @returns {Figures} */
function read() {
  globalThis.gc?.();
  const linux = process.platform === "linux";
  return {
    processes: linux ? descendants() : 0,
    descriptors: linux ? readdirSync("/proc/self/fd").length : 0,
    resources: process.getActiveResourcesInfo().length,
    listeners: process.eventNames().reduce((sum, event) => sum + process.listenerCount(event), 0),
    heap: process.memoryUsage().heapUsed,
  };
}

function descendants() {
  const parents = readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const [, parent] = /^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
        return [[pid, parent ?? ""]];
      } catch {
        // It ended while we looked.
        return [];
      }
    });
  const known = new Set([String(process.pid)]);
  for (let size = 0; size !== known.size;) {
    size = known.size;
    for (const [pid = "", parent = ""] of parents) if (known.has(parent)) known.add(pid);
  }
  return known.size - 1;
}
