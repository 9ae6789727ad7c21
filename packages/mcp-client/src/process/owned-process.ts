import { spawn } from "node:child_process";
import type { ChildProcessByStdio } from "node:child_process";
import type { Readable } from "node:stream";

import { systemClock } from "../connection/clock.ts";
import { registerChild, sendSignal } from "./child-registry.ts";
import { endProcessTree } from "./end-process-tree.ts";
import { createChildMarker, MARKER_VARIABLE } from "./process-marker.ts";

/** How {@link startOwnedProcess} starts a process. */
export interface OwnedProcessOptions {
  cwd: string;
  /** All of its environment. */
  env: Readonly<Record<string, string | undefined>>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
}

/** A process without input that belongs to the host, with everything that it starts. */
export interface OwnedProcess {
  child: ChildProcessByStdio<null, Readable, Readable>;
  /** Ends it and its tree: SIGTERM, again after 1.5 s, SIGKILL 1 s later. Never rejects; idempotent. */
  readonly end: () => Promise<void>;
}

/** As `spawnOwnedProcess`, at once. */
export function startOwnedProcess(
  command: string,
  args: readonly string[],
  options: OwnedProcessOptions,
): OwnedProcess {
  const platform = options.platform ?? process.platform;
  const marker = createChildMarker();
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: { ...options.env, [MARKER_VARIABLE]: marker },
    stdio: ["ignore", "pipe", "pipe"],
    detached: platform !== "win32",
    windowsHide: true,
  });
  const { pid } = child;
  if (pid === undefined) return { child, end: async () => {} };
  const registered = registerChild(pid, marker);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
  });
  let ending: Promise<void> | undefined;
  return {
    child,
    end() {
      ending ??= endProcessTree({
        pid,
        marker,
        exited,
        hasExited: () => child.exitCode !== null || child.signalCode !== null,
        // Without an input there is one polite way only.
        endInput: () => {
          if (platform === "win32") child.kill();
          else sendSignal(-pid, "SIGTERM");
        },
        platform,
        clock: systemClock,
      }).finally(() => registered.release());
      return ending;
    },
  };
}
