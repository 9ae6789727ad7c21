import { isRecord } from "@toolgate/contracts";

import type { EntryHook } from "../entry-item.ts";
import { readPath } from "../file-provider.ts";
import type { FileRules, ServerGroup } from "../file-provider.ts";
import type { WriteRules } from "../write-rules.ts";

const ENTRY_FIELDS = ["type", "command", "url", "enabled", "disabled"];

/** opencode's way of writing servers, in both of its versions, which Kilo Code shares. */
export const opencodeRules: FileRules = {
  servers: listServers,
  references: ["{env:NAME}", "{file:PATH}"],
  entry: { fields: { env: "environment" } },
  prepare: prepareEntry,
};

/** Entries are written in the older form, which every version reads. */
export const opencodeWriting: WriteRules = {
  key: "mcp",
  transports: { stdio: "local", http: "remote" },
  fields: { env: "environment", timeout: "timeout" },
  commandList: true,
  flag: "enabled",
  reference: "{env:NAME}",
};

/** `mcp.servers.<name>` of version 2, then `mcp.<name>` of version 1. A server of version 1 may be called "servers". */
function listServers(document: Record<string, unknown>): ServerGroup[] {
  const direct = readPath(document, ["mcp"]);
  const nested = readPath(direct, ["servers"]);
  if (!isRecord(direct) || !isRecord(nested) || isEntry(nested)) return [{ servers: direct }];
  // What is no entry beside the servers of version 2 is a setting.
  const older = Object.entries(direct).filter(([, value]) => isRecord(value) && isEntry(value));
  return [{ servers: nested, origin: "mcp.servers" }, { servers: Object.fromEntries(older) }];
}

/** Whether an object is one entry and not a map of entries, whose values are objects. */
function isEntry(value: Record<string, unknown>): boolean {
  return ENTRY_FIELDS.some((field) => Object.hasOwn(value, field) && !isRecord(value[field]));
}

function prepareEntry(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const { command, url, enabled, disabled, timeout } = raw;
  const isOff = enabled === false || disabled === true;
  // A file may switch off what another one declares; listed so, the entry shadows the other.
  if (isOff && command === undefined && url === undefined) return { unsupported: "the entry only switches it off" };
  const request = isRecord(timeout) ? timeout["request"] : timeout;
  return { entry: { ...raw, timeout: request } };
}
