import type { SourceMeta } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { unknownServerError } from "./server-access.ts";

/** Where a server is declared that is used, disabled or taken out by a filter. */
export function findSource(loaded: LoadedConfigs, name: string): SourceMeta | undefined {
  return loaded.sources[name] ?? loaded.disabled[name]?.source ?? loaded.filtered[name]?.source;
}

/**
 * As {@link findSource}.
 *
 * @throws ToolgateError `NOT_CONNECTED` when nothing declares it
 */
export function requireSource(loaded: LoadedConfigs, name: string): SourceMeta {
  const source = findSource(loaded, name);
  if (source === undefined) throw unknownServerError(loaded, name);
  return source;
}
