import { isRecord } from "@toolgate/contracts";

import type { EntryHook, EntryTools } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";

const STDIO_KEYS = ["command", "args", "env", "env_vars", "cwd"];
const HTTP_KEYS = ["url", "bearer_token_env_var", "http_headers", "env_http_headers", "oauth_resource"];

/** Codex. It expands nothing; variables are named by fields of their own. */
export const codexProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "codex",
  displayName: "Codex",
  priority: 70,
  files: {
    user: ({ home, join, variable }) => [join(variable("CODEX_HOME") ?? join(home, ".codex"), "config.toml")],
    project: [".codex/config.toml"],
  },
  servers: "mcp_servers",
  prepare: prepareCodexEntry,
  entry: {
    name: /^[a-zA-Z0-9_-]+$/,
    fields: { includeTools: "enabled_tools", excludeTools: "disabled_tools" },
  },
});

function prepareCodexEntry(raw: Record<string, unknown>, tools: EntryTools): ReturnType<EntryHook> {
  if (Object.hasOwn(raw, "bearer_token")) {
    return { invalid: 'Codex refuses "bearer_token"; use "bearer_token_env_var"' };
  }
  const stdio = STDIO_KEYS.filter((key) => Object.hasOwn(raw, key));
  const http = HTTP_KEYS.filter((key) => Object.hasOwn(raw, key));
  if (stdio.length > 0 && http.length > 0)
    return { invalid: `${quoteAll(stdio)} and ${quoteAll(http)} exclude each other` };
  const { startup_timeout_sec: startupSeconds, startup_timeout_ms: startup, tool_timeout_sec: seconds, ...entry } = raw;
  const changed: Record<string, unknown> = {
    ...entry,
    startupTimeout: typeof startupSeconds === "number" ? startupSeconds * 1000 : (startup ?? startupSeconds),
    timeout: typeof seconds === "number" ? seconds * 1000 : seconds,
  };
  if (http.length > 0) {
    changed["headers"] = readHeaders(raw, tools);
    changed["auth"] = readBearer(raw, tools);
  } else {
    changed["env"] = readEnvironment(raw, tools);
  }
  changed["oauth"] = readCodexOAuth(raw);
  return { entry: Object.fromEntries(Object.entries(changed).filter(([, value]) => value !== undefined)) };
}

function readBearer(raw: Record<string, unknown>, { variable, fail }: EntryTools): unknown {
  const name = raw["bearer_token_env_var"];
  if (name === undefined) return undefined;
  if (typeof name !== "string" || name === "") {
    fail('"bearer_token_env_var" must name an environment variable.');
    return undefined;
  }
  const token = variable(name);
  if (token === undefined || token === "") {
    fail(`the environment variable ${name}, named by "bearer_token_env_var", is not set. Set it and reload.`, name);
    return undefined;
  }
  return { type: "bearer", token };
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

function quoteAll(keys: readonly string[]): string {
  return keys.map((key) => JSON.stringify(key)).join(", ");
}
