import type { LoadContext } from "./capability.ts";

/** Does some work once for all providers of a load, and each time for a context without a load around it. */
export function oncePerLoad<T>(context: Pick<LoadContext, "shared">, key: string, work: () => T): T {
  const { shared } = context;
  if (shared === undefined) return work();
  // A key always stands for the same kind of work.
  if (shared.has(key)) return shared.get(key) as T;
  const result = work();
  shared.set(key, result);
  return result;
}
