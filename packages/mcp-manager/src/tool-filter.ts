import type { BaseServerConfig } from "@toolgate/contracts";

/** Makes the test for `includeTools` and `excludeTools` of an entry; exclude wins. Entries are names or `*` globs. */
export function createToolFilter(config: BaseServerConfig): (tool: string) => boolean {
  const include = config.includeTools?.map(createNameMatcher);
  const exclude = (config.excludeTools ?? []).map(createNameMatcher);
  return (tool) =>
    (include === undefined || include.some((matches) => matches(tool))) && !exclude.some((matches) => matches(tool));
}

/** Makes the test for one name or glob, where `*` stands for any characters and `?` for one. */
export function createNameMatcher(pattern: string): (name: string) => boolean {
  if (!/[*?]/.test(pattern)) return (name) => name === pattern;
  const source = pattern
    .replace(/[.+^${}()|[\]\\]/g, "\\$&")
    .replaceAll("*", ".*")
    .replaceAll("?", ".");
  const expression = new RegExp(`^${source}$`, "s");
  return (name) => expression.test(name);
}
