import type { BaseServerConfig } from "@toolgate/contracts";

/** Makes the test for `includeTools` and `excludeTools` of an entry; exclude wins. Entries are names or `*` globs. */
export function createToolFilter(config: BaseServerConfig): (tool: string) => boolean {
  const include = config.includeTools?.map(createNameMatcher);
  const exclude = (config.excludeTools ?? []).map(createNameMatcher);
  return (tool) =>
    (include === undefined || include.some((matches) => matches(tool))) && !exclude.some((matches) => matches(tool));
}

/**
 * Makes the test for one name or glob, where `*` stands for any characters and `?` for one. Case counts: a server may have
 * `Search` and `search`.
 */
export function createNameMatcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) return (name) => name === pattern;
  const wanted = Array.from(pattern.replace(/\*+/g, "*"));
  return (name) => matchesGlob(Array.from(name), wanted);
}

// A regular expression would try every way in which several stars can share a long name out, and names come from servers.
function matchesGlob(name: readonly string[], wanted: readonly string[]): boolean {
  let position = 0;
  let next = 0;
  /** Where to go on when what follows the last star does not fit: the star then takes one character more. */
  let retry: { position: number; next: number } | undefined;
  while (position < name.length) {
    if (wanted[next] === "*") {
      next += 1;
      retry = { position, next };
    } else if (wanted[next] === "?" || wanted[next] === name[position]) {
      position += 1;
      next += 1;
    } else if (retry !== undefined) {
      retry = { position: retry.position + 1, next: retry.next };
      ({ position, next } = retry);
    } else return false;
  }
  return wanted.slice(next).every((character) => character === "*");
}
