import { isDeepStrictEqual } from "node:util";

import type { MCPServerConfig } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import type { Finding } from "./finding.ts";

/** Entries that lose to others: of the same name with another content, or of the same address under another name. */
export function findShadowed(loaded: LoadedConfigs): Finding[] {
  const byName = new Map<string, LoadedConfigs["shadowed"]>();
  const findings: Finding[] = [];
  for (const item of loaded.shadowed) {
    const note: unknown = Reflect.get(item, "note");
    if (typeof note === "string") findings.push(describeSameEndpoint(item, note));
    else byName.set(item.name, [...(byName.get(item.name) ?? []), item]);
  }
  for (const [name, items] of byName) findings.push(...describeShadowed(name, items, loaded));
  return findings;
}

function describeShadowed(name: string, items: LoadedConfigs["shadowed"], loaded: LoadedConfigs): Finding[] {
  const used = configOf(loaded, name);
  const different = items.filter(({ config }) => !isDeepStrictEqual(config, used));
  const [first] = different;
  // Equal entries do the same, whichever is used.
  if (first === undefined) return [];
  const { path } = first.shadowedBy;
  const paths = [...new Set(different.map(({ _source: source }) => source.path))];
  const state = loaded.disabled[name] === undefined ? "is used" : "counts and is disabled";
  const others = `${paths.join(" and ")} ${paths.length === 1 ? "has another" : "have others"} of that name`;
  return [
    {
      level: "hint",
      check: "shadowed-entry",
      message: `${name} of ${path} ${state}; ${others}`,
      fix: `Remove or rename the entry ${name} where it is not meant`,
      server: name,
      path,
      paths,
    },
  ];
}

function configOf({ configs, disabled, filtered }: LoadedConfigs, name: string): MCPServerConfig | undefined {
  return configs[name] ?? disabled[name]?.config ?? filtered[name]?.config;
}

function describeSameEndpoint(item: LoadedConfigs["shadowed"][number], note: string): Finding {
  const { name, _source: source, shadowedBy } = item;
  return {
    level: "hint",
    check: "same-endpoint",
    message: `${name} is not used: ${note} of ${shadowedBy.path}`,
    fix: `Remove one of the two entries, or leave it at that`,
    server: name,
    path: source.path,
    paths: [shadowedBy.path],
  };
}

/** Equal processes or addresses under two names are two servers; that may be meant, or copied. */
export function findTwins(loaded: LoadedConfigs): Finding[] {
  const byTarget = new Map<string, { names: string[]; isRemote: boolean }>();
  for (const [name, config] of Object.entries(loaded.configs)) {
    const key = targetOf(config);
    const isRemote = config.type === "http" || config.type === "sse";
    byTarget.set(key, { names: [...(byTarget.get(key)?.names ?? []), name], isRemote });
  }
  return [...byTarget.values()]
    .filter(({ names }) => names.length > 1)
    .map(({ names, isRemote }) => ({
      level: "hint",
      check: isRemote ? "same-endpoint" : "same-program",
      message: `${names.toSorted().join(" and ")} ${isRemote ? "reach the same address" : "start the same program"}`,
      fix: "Disable all but one, unless several are meant",
    }));
}

function targetOf(config: MCPServerConfig): string {
  if (config.type === "http" || config.type === "sse") {
    return JSON.stringify([config.type, config.url, sortKeys(config.headers), config.auth, config.oauth]);
  }
  const { command, args = [], env, cwd } = config;
  return JSON.stringify([command, args, sortKeys(env), cwd]);
}

function sortKeys(values: Record<string, string> = {}): [string, string][] {
  return Object.entries(values).toSorted(([a], [b]) => (a < b ? -1 : 1));
}
