/** Lets changes of one file happen one after the other, and those of different files at once. */
export interface ChangeQueue {
  run<T>(path: string, change: () => Promise<T>): Promise<T>;
}

/** Makes the queue of a session: a model may change one file by several calls of one answer. */
export function createChangeQueue(): ChangeQueue {
  const last = new Map<string, Promise<unknown>>();
  return {
    run(path, change) {
      const next = (last.get(path) ?? Promise.resolve()).then(change);
      const settled = next
        .catch(() => {})
        .finally(() => {
          if (last.get(path) === settled) last.delete(path);
        });
      last.set(path, settled);
      return next;
    },
  };
}
