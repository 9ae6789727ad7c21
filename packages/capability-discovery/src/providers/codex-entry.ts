import { isRecord } from "@toolgate/contracts";

import type { EntryTools } from "../entry-item.ts";
import { readBearerVariable } from "./bearer-token.ts";

/**
 * Changes an entry of Codex, or of a client that writes TOML like it, into the common form: timeouts in seconds, and
 * fields that name environment variables.
 */
export function translateCodexEntry(raw: Record<string, unknown>, tools: EntryTools): Record<string, unknown> {
  const { startup_timeout_sec: startupSeconds, startup_timeout_ms: startup, tool_timeout_sec: seconds, ...entry } = raw;
  const changed: Record<string, unknown> = {
    ...entry,
    startupTimeout: typeof startupSeconds === "number" ? startupSeconds * 1000 : (startup ?? startupSeconds),
    timeout: typeof seconds === "number" ? seconds * 1000 : seconds,
    oauth: readCodexOAuth(raw),
    ...(raw["url"] === undefined
      ? { env: readEnvironment(raw, tools) }
      : { headers: readHeaders(raw, tools), auth: readBearerVariable(raw, "bearer_token_env_var", tools) }),
  };
  return Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined));
}

function readHeaders(raw: Record<string, unknown>, { variable, warn }: EntryTools): unknown {
  const fixed = raw["http_headers"];
  const named = raw["env_http_headers"];
  if (named === undefined) return fixed;
  if (!isRecord(named)) {
    warn('"env_http_headers" is not a table and is ignored');
    return fixed;
  }
  const headers = Object.entries(named).flatMap(([header, name]) => {
    const value = typeof name === "string" ? variable(name) : undefined;
    if (value !== undefined && value !== "") return [[header, value] as const];
    warn(`the header ${JSON.stringify(header)} is not sent, because ${JSON.stringify(name)} is not set`);
    return [];
  });
  return { ...(isRecord(fixed) ? fixed : {}), ...Object.fromEntries(headers) };
}

function readEnvironment(raw: Record<string, unknown>, { variable, warn }: EntryTools): unknown {
  const fixed = raw["env"];
  const passed = raw["env_vars"];
  if (passed === undefined) return fixed;
  if (!Array.isArray(passed)) {
    warn('"env_vars" is not a list and is ignored');
    return fixed;
  }
  const values = passed.flatMap((item: unknown) => {
    const name = isRecord(item) ? item["name"] : item;
    const value = typeof name === "string" ? variable(name) : undefined;
    return value === undefined ? [] : [[name as string, value] as const];
  });
  return values.length === 0 ? fixed : { ...Object.fromEntries(values), ...(isRecord(fixed) ? fixed : {}) };
}

function readCodexOAuth(raw: Record<string, unknown>): unknown {
  const { oauth, scopes } = raw;
  if (!isRecord(oauth) && scopes === undefined) return undefined;
  return { ...(isRecord(oauth) ? oauth : {}), ...(scopes === undefined ? {} : { scopes }) };
}
