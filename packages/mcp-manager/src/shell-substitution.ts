import type { ChildProcess } from "node:child_process";

/** How long a `!command` may take. */
const SUBSTITUTION_TIMEOUT_MS = 10_000;

const STDERR_TAIL = 500;
const MAX_OUTPUT = 1024 * 1024;

/** What a command is run with. */
export interface ShellCommandOptions {
  cwd: string;
  env: Record<string, string | undefined>;
  /** Ends the command. */
  signal: AbortSignal;
  /** @default SUBSTITUTION_TIMEOUT_MS */
  timeoutMs?: number;
}

/**
 * Runs a command of the person's own configuration in a shell, for example to read a password store.
 *
 * @returns What it wrote to stdout, without the line breaks at the end.
 * @throws Error that says how it ended and what it wrote to stderr; the command and its output are not repeated, since
 * either may be the secret.
 */
export async function runShellCommand(command: string, options: ShellCommandOptions): Promise<string> {
  const { spawn } = await import("node:child_process");
  const timeoutMs = options.timeoutMs ?? SUBSTITUTION_TIMEOUT_MS;
  options.signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const isWindows = process.platform === "win32";
    // A group of its own, so that what the shell started ends with it.
    const child = spawn(command, {
      cwd: options.cwd,
      env: options.env,
      shell: true,
      detached: !isWindows,
      windowsHide: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let stdout = "";
    let stderr = "";
    let failure: Error | undefined;
    const stop = (error: Error): void => {
      failure ??= error;
      killGroup(child, isWindows);
    };
    const timer = setTimeout(() => stop(new Error(`it did not finish within ${timeoutMs / 1000} s`)), timeoutMs);
    const onAbort = (): void => stop(new Error("it was stopped"));
    options.signal.addEventListener("abort", onAbort, { once: true });

    child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
      stdout += chunk;
      if (stdout.length > MAX_OUTPUT) stop(new Error(`it wrote more than ${MAX_OUTPUT} characters`));
    });
    child.stderr.setEncoding("utf8").on("data", (chunk: string) => {
      stderr = (stderr + chunk).slice(-STDERR_TAIL);
    });
    const finish = (error: Error | undefined): void => {
      clearTimeout(timer);
      options.signal.removeEventListener("abort", onAbort);
      if (error === undefined) resolve(stdout.replace(/[\r\n]+$/, ""));
      else reject(error);
    };
    child.once("error", (error) => finish(failure ?? error));
    child.once("close", (code, signal) => {
      const how = code === 0 ? undefined : new Error(describeEnd(code, signal, stderr));
      finish(failure ?? how);
    });
  });
}

function describeEnd(code: number | null, signal: NodeJS.Signals | null, stderr: string): string {
  const end = signal === null ? `it exited with ${code}` : `it was ended by ${signal}`;
  return stderr.trim() === "" ? end : `${end}: ${stderr.trim()}`;
}

function killGroup(child: ChildProcess, isWindows: boolean): void {
  if (child.pid === undefined) return;
  try {
    if (isWindows) child.kill();
    else process.kill(-child.pid, "SIGKILL");
  } catch {
    // It has ended in the meantime.
  }
}
