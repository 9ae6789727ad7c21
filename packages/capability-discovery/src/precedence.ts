import type { SourceMeta } from "@toolgate/contracts";

import { LEVEL_RANK, sourceOf } from "./capability.ts";
import type { Capability, Shadowed, Sourced } from "./capability.ts";

/** An item on its way to being used or shadowed. */
export interface Candidate<T> {
  item: Sourced<T>;
  key: string;
  priority: number;
}

/**
 * Decides which item is used for each key: level first (runtime, project, user, system), then the priority of the
 * provider, then its id, then the provider's own order. Items are never merged.
 */
export function resolvePrecedence<T>(
  capability: Capability<T>,
  candidates: readonly Candidate<T>[],
): { items: Sourced<T>[]; shadowed: Shadowed<T>[] } {
  // Sorting is stable, so items of one provider and level keep the provider's order.
  const ordered = candidates
    .map((candidate) => ({ ...candidate, rank: rankOf(capability, candidate.item) }))
    .toSorted(
      (a, b) =>
        b.rank - a.rank ||
        b.priority - a.priority ||
        compareCodeUnits(sourceOf(a.item).provider, sourceOf(b.item).provider),
    );
  const used = new Map<string, Sourced<T>>();
  const endpoints = new Map<string, { provider: string; key: string; source: SourceMeta }>();
  const seenEntries = new Set<string>();
  const shadowed: Shadowed<T>[] = [];
  for (const { item, key } of ordered) {
    const source = sourceOf(item);
    const entry = JSON.stringify([source.path, source.origin ?? null, key]);
    // Two providers that read the same file found one entry, not two.
    if (seenEntries.has(entry)) continue;
    seenEntries.add(entry);
    const winner = used.get(key);
    if (winner !== undefined) {
      shadowed.push({ ...item, shadowedBy: sourceOf(winner) });
      continue;
    }
    const endpoint = capability.endpoint?.(item);
    const twin = endpoint === undefined ? undefined : endpoints.get(endpoint);
    if (twin !== undefined && twin.provider !== source.provider) {
      const note = `same endpoint as ${JSON.stringify(twin.key)}`;
      shadowed.push({ ...item, shadowedBy: twin.source, note });
      continue;
    }
    used.set(key, item);
    if (endpoint !== undefined && twin === undefined) {
      endpoints.set(endpoint, { provider: source.provider, key, source });
    }
  }
  return { items: [...used.values()], shadowed };
}

function rankOf<T>(capability: Capability<T>, item: Sourced<T>): number {
  return capability.rank?.(item) ?? LEVEL_RANK[sourceOf(item).level];
}

function compareCodeUnits(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
