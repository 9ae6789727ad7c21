import { execFile } from "node:child_process";
import { basename, dirname } from "node:path";

import { findCommand } from "@toolgate/mcp-client";

import type { CommandContext } from "../command-context.ts";

/** What git knows about a file; `unknown` without git, without a repository and when git does not answer in time. */
export type FileTracking = "tracked" | "untracked" | "ignored" | "unknown";

const GIT_TIMEOUT_MS = 3000;
/** Variables that git needs to work; all others, such as GIT_DIR, could point it elsewhere. */
const PASSED_VARIABLES = ["PATH", "Path", "HOME", "USERPROFILE", "SYSTEMROOT", "SystemRoot", "XDG_CONFIG_HOME"];
// The monitor is a program that a repository can name; nothing of the project runs here.
const SAFE_OPTIONS = ["-c", "core.fsmonitor=false"];

/** Asks git whether a file is part of its repository. Changes nothing; rejects only when the command is interrupted. */
export async function readTracking(path: string, context: CommandContext): Promise<FileTracking> {
  const ask = (...words: string[]): Promise<number | undefined> => runGit(words, dirname(path), context);
  const listed = await ask("ls-files", "--error-unmatch", "--", `:(literal)${basename(path)}`);
  if (listed === 0) return "tracked";
  if (listed !== 1) return "unknown";
  return (await ask("check-ignore", "--quiet", "--", basename(path))) === 0 ? "ignored" : "untracked";
}

/** The exit status; `undefined` when there is none. */
function runGit(words: readonly string[], cwd: string, context: CommandContext): Promise<number | undefined> {
  const env = cleanEnvironment(context.env);
  // Looked up here, because Windows would prefer a program of that name in the project.
  const git = findCommand("git", { env, platform: context.platform, cwd });
  if (git === undefined) return Promise.resolve(undefined);
  const { signal } = context;
  return new Promise((resolve, reject) => {
    const options = { cwd, env, signal, timeout: GIT_TIMEOUT_MS, killSignal: "SIGKILL", windowsHide: true } as const;
    execFile(git, [...SAFE_OPTIONS, ...words], options, (error) => {
      if (signal.aborted) reject(signal.reason as Error);
      else if (error === null) resolve(0);
      else resolve(typeof error.code === "number" ? error.code : undefined);
    });
  });
}

function cleanEnvironment(env: CommandContext["env"]): Record<string, string> {
  const passed = PASSED_VARIABLES.flatMap((name) => {
    const value = env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(passed), GIT_OPTIONAL_LOCKS: "0", GIT_TERMINAL_PROMPT: "0", LC_ALL: "C" };
}
