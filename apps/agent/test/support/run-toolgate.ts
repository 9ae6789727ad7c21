import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

import type { Scratch } from "./scratch.ts";

const bin = fileURLToPath(new URL("../../bin/toolgate.js", import.meta.url));

/** Parsed JSON, of which a test looks at what it wants. */
export type Json = ReturnType<typeof JSON.parse>;

/** How a run of the command ended. */
export interface RunResult {
  status: number | null;
  stdout: string;
  stderr: string;
  /** The one JSON document on stdout. */
  json: () => Json;
}

/** What a run is given beside its words. */
export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
}

/** Starts the built command in a scratch project. */
export function startToolgate(
  scratch: Scratch,
  words: readonly string[],
  { env = {} }: RunOptions = {},
): ChildProcessWithoutNullStreams {
  if (!existsSync(fileURLToPath(new URL("../../dist/cli/main.js", import.meta.url)))) {
    throw new Error("These tests run the built command: npx turbo run build");
  }
  return spawn(process.execPath, [bin, ...words], { cwd: scratch.project, env: { ...scratch.env, ...env } });
}

/** Runs the built command in a scratch project to its end. */
export function runToolgate(scratch: Scratch, words: readonly string[], options: RunOptions = {}): Promise<RunResult> {
  const child = startToolgate(scratch, words, options);
  child.stdin.end(options.input ?? "");
  return endOf(child);
}

/** Waits for the end of a run. */
export function endOf(child: ChildProcessWithoutNullStreams): Promise<RunResult> {
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status) =>
      resolve({
        status,
        stdout,
        stderr,
        json: () => {
          // Exactly one document, on one line.
          if (!/^[^\n]+\n$/.test(stdout)) throw new Error(`not one line on stdout: ${JSON.stringify(stdout)}`);
          return JSON.parse(stdout);
        },
      }),
    );
  });
}
