import { collectSecrets, createRedactor, isRecord, isSecretName } from "@toolgate/contracts";
import type { CacheEntry, MCPServerConfig } from "@toolgate/contracts";

// Short values, and values of variables that are not named like secrets, may be words that schemas are made of.
const SHORTEST_REDACTED = 8;

/**
 * An entry without the secrets of its server's config: some servers write the address or account that they were given
 * into descriptions and instructions, and what is kept on disk must not repeat it. Returns the input when there is nothing.
 */
export function redactEntry(config: MCPServerConfig, entry: CacheEntry): CacheEntry {
  const secrets = collectSecrets(withSecretVariablesOnly(config)).filter((value) => value.length >= SHORTEST_REDACTED);
  if (secrets.length === 0) return entry;
  const redact = createRedactor(secrets);
  const told = { tools: entry.tools, instructions: entry.instructions };
  const text = JSON.stringify(told);
  if (redact(text) === text) return entry;
  return { ...entry, ...(mapStrings(told, redact) as Pick<CacheEntry, "tools" | "instructions">) };
}

function withSecretVariablesOnly(config: MCPServerConfig): MCPServerConfig {
  if (config.type === "http" || config.type === "sse") return config;
  const env = Object.fromEntries(Object.entries(config.env ?? {}).filter(([name]) => isSecretName(name)));
  return { ...config, env };
}

function mapStrings(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item) => mapStrings(item, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [change(key), mapStrings(item, change)]));
}
