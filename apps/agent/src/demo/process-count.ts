import type { ServerDescription } from "@toolgate/mcp-manager";

/** Remembers the processes of servers and says which of them are left. */
export class ProcessCount {
  readonly #pids = new Set<number>();

  /** Notes the processes that run now. */
  note(servers: readonly ServerDescription[]): void {
    for (const { pid } of servers) if (pid !== undefined) this.#pids.add(pid);
  }

  /** How many were noted. */
  get noted(): number {
    return this.#pids.size;
  }

  /** The noted ones that still run, or whose process group still has somebody in it. */
  left(): number[] {
    return [...this.#pids].filter((pid) => exists(pid) || (process.platform !== "win32" && exists(-pid)));
  }
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    // Gone, or somebody else's by now: our own could be signalled.
    return false;
  }
}
