import { readFileSync } from "node:fs";

import { AbortError } from "../connection/abort-error.ts";
import { readStat } from "./process-table.ts";

/** How the wait is done. */
export interface BootIdleOptions {
  /** Gives the wait up: rejects with an AbortError. */
  signal?: AbortSignal;
  /** @default `process.platform` */
  platform?: NodeJS.Platform;
}

const LOOK_EVERY = 15;
const STILL_FOR = 45;
const ELSEWHERE = 300;

/**
 * Resolves when a child has stopped booting: on Linux when the CPU time of the process and of what it started has stood
 * still for 45 ms ("it waits, it does not boot"), or when it is gone; elsewhere after 300 ms.
 *
 * It paces process starts without punishing servers that wait for the network. It never keeps the event loop alive.
 */
export function whenBootIdle(pid: number, options: BootIdleOptions = {}): Promise<void> {
  const { signal, platform = process.platform } = options;
  return new Promise((resolve, reject) => {
    const abort = () => {
      clearTimeout(timer);
      reject(new AbortError("Waiting for a server's boot was cancelled", signal as AbortSignal));
    };
    const finish = () => {
      signal?.removeEventListener("abort", abort);
      resolve();
    };
    let timer: NodeJS.Timeout | undefined;
    if (signal?.aborted === true) {
      abort();
      return;
    }
    signal?.addEventListener("abort", abort, { once: true });
    if (platform !== "linux") {
      timer = setTimeout(finish, ELSEWHERE).unref();
      return;
    }
    let before = -1;
    let since = performance.now();
    const look = () => {
      const activity = readActivity(pid);
      const now = performance.now();
      if (activity === undefined || (isStill(activity, before) && now - since >= STILL_FOR)) {
        finish();
        return;
      }
      if (!isStill(activity, before)) since = now;
      before = activity.cpuTime;
      timer = setTimeout(look, LOOK_EVERY).unref();
    };
    look();
  });
}

/** What a process and its descendants do: behind `npx` and `sh` the server is one of those. */
interface Activity {
  /** In clock ticks. */
  cpuTime: number;
  /** One of them runs, or would if it got a processor: on a busy machine its CPU time may stand still meanwhile. */
  wantsProcessor: boolean;
}

function isStill({ cpuTime, wantsProcessor }: Activity, before: number): boolean {
  return cpuTime === before && !wantsProcessor;
}

function readActivity(pid: number): Activity | undefined {
  const fields = readStat(pid);
  if (fields === undefined || fields[0] === "Z" || fields[0] === "X") return undefined;
  // 11 and 12: user and system time. D: it waits for the disk, as a booting server does.
  const activity = { cpuTime: Number(fields[11]) + Number(fields[12]), wantsProcessor: /[RD]/.test(fields[0] ?? "") };
  for (const child of readChildren(pid)) {
    const { cpuTime = 0, wantsProcessor = false } = readActivity(child) ?? {};
    activity.cpuTime += cpuTime;
    activity.wantsProcessor ||= wantsProcessor;
  }
  return activity;
}

function readChildren(pid: number): number[] {
  try {
    return readFileSync(`/proc/${pid}/task/${pid}/children`, "latin1").split(" ").filter(Boolean).map(Number);
  } catch {
    // The kernel does not offer it, or the process has ended.
    return [];
  }
}
