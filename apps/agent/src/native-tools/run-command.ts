import { findCommand, spawnOwnedProcess } from "@toolgate/mcp-client";

/** Milliseconds that the outputs of a command which has ended may stay open: somebody got away with them. */
const DRAIN_MS = 1000;

/** What is run. */
export interface CommandOptions {
  command: string;
  cwd: string;
  env: Readonly<Record<string, string | undefined>>;
  platform: NodeJS.Platform;
  /** Ends the command and everything that it started. */
  signal: AbortSignal;
  /** Hears both outputs, in the order in which they come. */
  onOutput: (chunk: Buffer) => void;
}

/** How a command ended. */
export interface CommandEnd {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
}

/**
 * Runs a shell command without input. When the shell has ended, or the signal says so, everything that it started is
 * ended with it, background processes included: nothing outlives the call.
 *
 * @throws what `spawn` throws, for example when there is no shell or no such directory
 */
export async function runCommand(options: CommandOptions): Promise<CommandEnd> {
  const { signal, onOutput } = options;
  const [file, args] = commandLineOf(options);
  const owned = await spawnOwnedProcess(file, args, options);
  const { child } = owned;
  child.stdout.on("data", onOutput);
  child.stderr.on("data", onOutput);
  const closed = new Promise<void>((resolve) => {
    child.once("close", () => resolve());
  });
  const exited = new Promise<CommandEnd>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (exitCode, endSignal) => resolve({ exitCode, signal: endSignal }));
  });
  const interrupted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
    if (signal.aborted) resolve();
  });
  await Promise.race([exited, interrupted]);
  await owned.end();
  const timer = setTimeout(() => {
    child.stdout.destroy();
    child.stderr.destroy();
  }, DRAIN_MS);
  await closed;
  clearTimeout(timer);
  return exited;
}

/** Bash where there is one, as models expect; else the system's shell. */
function commandLineOf({ command, env, platform, cwd }: CommandOptions): [string, string[]] {
  if (platform === "win32") return [env["COMSPEC"] ?? "cmd.exe", ["/d", "/s", "/c", command]];
  const bash = findCommand("bash", { env, platform, cwd });
  return [bash ?? "/bin/sh", ["-c", command]];
}
