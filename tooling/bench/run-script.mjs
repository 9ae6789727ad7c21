/** Runs one measuring script in a fresh process and gives what it prints. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * @param {string[]} args - of `node`
 * @returns {Promise<{ wall: number } & Record<string, number>>} the printed JSON and the process's wall time in ms
 */
export async function runScript(args) {
  const started = performance.now();
  const { stdout } = await execute(process.execPath, args, { maxBuffer: 64 * 1024 * 1024, timeout: 120_000 });
  const wall = performance.now() - started;
  const text = stdout.trim();
  return { wall, ...(text.startsWith("{") ? JSON.parse(text) : {}) };
}

/** @param {number[]} values @param {number} fraction between 0 and 1 */
export function quantile(values, fraction) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(fraction * sorted.length) - 1)] ?? Number.NaN;
}

/** @param {number[]} values */
export function median(values) {
  return quantile(values, 0.5);
}
