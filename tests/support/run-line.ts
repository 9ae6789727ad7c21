import { spawn } from "node:child_process";
import { chmod } from "node:fs/promises";
import { delimiter } from "node:path";
import { fileURLToPath } from "node:url";

import { endOf } from "../../apps/agent/test/support/run-toolgate.ts";
import type { RunResult } from "../../apps/agent/test/support/run-toolgate.ts";
import type { Scratch } from "../../apps/agent/test/support/scratch.ts";

const toolgate = fileURLToPath(new URL("../../apps/agent/bin/toolgate.js", import.meta.url));

/** What a line is run with. */
export interface LineOptions {
  /** What is on the input of the line. @default nothing */
  stdin?: string;
  /** Variables beside those of the scratch. */
  env?: Record<string, string>;
  /** Called with all that is on stderr so far, whenever there is more. */
  onStderr?: (text: string) => void;
}

/** Puts a command into the scratch's `bin`, which a line finds first; gives that folder. */
export async function installCommand(scratch: Scratch, name: string, script: string): Promise<string> {
  await chmod(await scratch.write(`bin/${name}`, `#!/bin/sh\n${script}\n`), 0o755);
  return scratch.file("bin");
}

/** Runs a line of a shell in the scratch's project, with the built command as `toolgate`. */
export async function runLine(
  scratch: Scratch,
  line: string,
  { stdin = "", env = {}, onStderr }: LineOptions = {},
): Promise<RunResult> {
  const bin = await installCommand(scratch, "toolgate", `exec '${process.execPath}' '${toolgate}' "$@"`);
  const path = [bin, scratch.env["PATH"]].join(delimiter);
  const child = spawn("bash", ["-c", line], { cwd: scratch.project, env: { ...scratch.env, ...env, PATH: path } });
  let stderr = "";
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
    onStderr?.(stderr);
  });
  child.stdin.end(stdin);
  return endOf(child);
}
