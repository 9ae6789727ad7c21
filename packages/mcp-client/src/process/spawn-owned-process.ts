import type { OwnedProcess, OwnedProcessOptions } from "./owned-process.ts";

/**
 * Starts a process under the same care as a server: in a group of its own, ended with the host however that ends, and
 * found again by its environment when it leaves the group. Whoever starts it calls `end()`, also when it has exited:
 * what it started may run on.
 *
 * @throws what `child_process.spawn` throws for arguments that it cannot take; that it cannot be started is its `error`
 */
export async function spawnOwnedProcess(
  command: string,
  args: readonly string[],
  options: OwnedProcessOptions,
): Promise<OwnedProcess> {
  const { startOwnedProcess } = await import("./owned-process.ts");
  return startOwnedProcess(command, args, options);
}
