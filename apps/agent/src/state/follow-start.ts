import type { Logger } from "@toolgate/contracts";
import { messageOf } from "@toolgate/contracts";
import type { MCPManager } from "@toolgate/mcp-manager";

import type { StartOccasion } from "./start-record.ts";
import { describeStart } from "./start-record.ts";
import type { StartStore } from "./start-store.ts";

/** How the starts of a manager are recorded. */
export interface FollowStartOptions extends StartOccasion {
  store: StartStore;
  /** Hears of a record that could not be written, which is no reason for anything to fail. */
  logger: Logger;
}

/** Writes down how a manager's servers were started, as far as they have come. Never rejects. */
export async function saveStart(
  manager: MCPManager,
  { store, logger, ...occasion }: FollowStartOptions,
): Promise<void> {
  const record = describeStart(manager, occasion);
  if (record === undefined) return;
  try {
    await store.save(record);
  } catch (error) {
    logger.warn(`The start could not be recorded in ${store.directory}: ${messageOf(error)}`);
  }
}

/**
 * Records each start of a manager's servers, a reload included, when the last of them has come to its end.
 *
 * @returns what has to be called before the manager ends: it records a start that has not come to its end
 */
export function followStart(manager: MCPManager, options: FollowStartOptions): () => Promise<void> {
  let saved: number | undefined;
  let lastSave: Promise<void> = Promise.resolve();
  const save = (): void => {
    const startup = manager.describeStartup();
    if (startup === undefined || startup.time === saved) return;
    saved = startup.time;
    lastSave = lastSave.then(() => saveStart(manager, options));
  };
  const saveWhenSettled = (): void => {
    if (manager.describeServers().every(({ phase }) => phase === undefined)) save();
  };
  const stop = manager.subscribe((event) => {
    if (event.type === "server-step" && (event.step === "ready" || event.step === "failed")) saveWhenSettled();
  });
  saveWhenSettled();
  return async () => {
    stop();
    save();
    await lastSave;
  };
}
