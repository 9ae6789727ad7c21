/**
 * Preloaded into a program (`--import`), notes what it does in the file of `TOOLGATE_TEST_NOTES`, one line each and in order:
 * `spawn` for a child process, `module <url>` for a module that is resolved.
 */
import childProcess from "node:child_process";
import { appendFileSync } from "node:fs";
import { register, syncBuiltinESMExports } from "node:module";
import { isMainThread } from "node:worker_threads";

const file = process.env["TOOLGATE_TEST_NOTES"] ?? "";

if (isMainThread) {
  register(import.meta.url);
  const { spawn } = childProcess;
  // @ts-expect-error -- one of its overloads stands for all
  childProcess.spawn = (/** @type {Parameters<typeof spawn>} */ ...args) => {
    appendFileSync(file, "spawn\n");
    return spawn(...args);
  };
  syncBuiltinESMExports();
}

/** @type {import("node:module").ResolveHook} */
export async function resolve(specifier, context, nextResolve) {
  const resolved = await nextResolve(specifier, context);
  appendFileSync(file, `module ${resolved.url}\n`);
  return resolved;
}
