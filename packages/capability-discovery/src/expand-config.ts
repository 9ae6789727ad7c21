import type { MCPServerConfig } from "@toolgate/contracts";

import type { Expansion, ReferenceForm, UnresolvedReference } from "./interpolate.ts";

/** An unresolved reference with the field that holds it, for example `env.TOKEN` or `args[1]`. */
export interface FieldReference extends UnresolvedReference {
  field: string;
}

/** Applies an expansion to every text of an entry that may hold references. Keys are never expanded. */
export function expandConfig(
  config: MCPServerConfig,
  expand: (text: string) => Expansion,
): { config: MCPServerConfig; unresolved: FieldReference[] } {
  const unresolved: FieldReference[] = [];
  const expanded = mapTexts(config, (text, field) => {
    const expansion = expand(text);
    unresolved.push(...expansion.unresolved.map((reference) => ({ ...reference, field })));
    return expansion.value;
  });
  return { config: expanded, unresolved };
}

/** Paths of all `{file:…}` references of an entry, when the client has that form. */
export function findFileReferences(config: MCPServerConfig, forms: readonly ReferenceForm[]): string[] {
  if (!forms.includes("{file:PATH}") && !forms.includes("${file:PATH}")) return [];
  const paths = new Set<string>();
  mapTexts(config, (text) => {
    for (const [, path] of text.matchAll(/\{file:([^}]+)\}/g)) if (path !== undefined) paths.add(path);
    return text;
  });
  return [...paths];
}

/** Gives the new text for one of a field, for example `env.TOKEN` or `args[1]`. */
export type TextMapper = (text: string, field: string) => string;

/** Maps every text of an entry that may hold references. */
export function mapTexts(config: MCPServerConfig, map: TextMapper): MCPServerConfig {
  const shared = {
    ...(config.auth === undefined ? {} : { auth: { ...config.auth, token: map(config.auth.token, "auth.token") } }),
    ...(config.oauth === undefined ? {} : { oauth: mapOAuth(config.oauth, map) }),
  };
  if (config.type === "http" || config.type === "sse") {
    return {
      ...config,
      url: map(config.url, "url"),
      ...(config.headers === undefined ? {} : { headers: mapValues(config.headers, "headers", map) }),
      ...shared,
    };
  }
  return {
    ...config,
    command: map(config.command, "command"),
    ...(config.args === undefined ? {} : { args: config.args.map((text, index) => map(text, `args[${index}]`)) }),
    ...(config.env === undefined ? {} : { env: mapValues(config.env, "env", map) }),
    ...(config.cwd === undefined ? {} : { cwd: map(config.cwd, "cwd") }),
    ...shared,
  };
}

function mapOAuth(oauth: NonNullable<MCPServerConfig["oauth"]>, map: TextMapper): typeof oauth {
  const result = { ...oauth };
  if (oauth.clientId !== undefined) result.clientId = map(oauth.clientId, "oauth.clientId");
  if (oauth.clientSecret !== undefined) result.clientSecret = map(oauth.clientSecret, "oauth.clientSecret");
  if (oauth.scope !== undefined) result.scope = map(oauth.scope, "oauth.scope");
  return result;
}

function mapValues(values: Record<string, string>, field: string, map: TextMapper): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([key, text]) => [key, map(text, `${field}.${key}`)]));
}
