import { isRecord } from "@toolgate/contracts";

import { readPath } from "./file-provider.ts";
import type { FileProvider, ServerGroup } from "./file-provider.ts";
import { ampProvider } from "./providers/amp.ts";
import { codexProvider } from "./providers/codex.ts";
import { continueProvider } from "./providers/continue.ts";
import { gooseProvider } from "./providers/goose.ts";
import { opencodeProvider } from "./providers/opencode.ts";
import { toolgateProvider } from "./providers/toolgate.ts";
import { vscodeProvider } from "./providers/vscode.ts";
import { zedProvider } from "./providers/zed.ts";

/** A document whose client is recognised. */
export interface PastedShape {
  /** The client whose rules its entries are read by. */
  provider: FileProvider;
  /** What people call the form. */
  form: string;
  groups: readonly ServerGroup[];
}

/** Fields of which an entry has at least one. */
const ENTRY_FIELDS = ["command", "cmd", "url", "serverUrl", "httpUrl", "uri", "baseUrl"];

const COMMON_FORM = "the form that most clients share";

/**
 * Recognises by its shape which client a document was written for: by the key of its servers, and where several clients
 * share the key, by fields that only one of them has.
 *
 * @param name - What a single entry without a name of its own is called.
 * @returns undefined for what holds no servers; `"nameless"` for a single entry without a name
 */
export function recognizeShape(document: unknown, name: string | undefined): PastedShape | "nameless" | undefined {
  if (Array.isArray(document)) return common(document);
  if (!isRecord(document)) return undefined;
  const keyed = recognizeKey(document);
  if (keyed !== undefined) return keyed;
  if (isEntry(document)) {
    const ownName = typeof document["name"] === "string" ? document["name"] : undefined;
    const entryName = name ?? ownName;
    return entryName === undefined ? "nameless" : common({ [entryName]: document });
  }
  return isMapOfEntries(document) ? common(document) : undefined;
}

function recognizeKey(document: Record<string, unknown>): PastedShape | undefined {
  const has = (key: string): boolean => Object.hasOwn(document, key) && isCollection(document[key]);
  const shape = (provider: FileProvider, ...keys: string[]): PastedShape => ({
    provider,
    form: provider.displayName,
    groups: [{ servers: readPath(document, keys) }],
  });
  if (has("amp.mcpServers")) return shape(ampProvider, "amp.mcpServers");
  if (has("context_servers")) return shape(zedProvider, "context_servers");
  if (has("mcp_servers")) return shape(codexProvider, "mcp_servers");
  if (has("extensions")) return shape(gooseProvider, "extensions");
  if (has("mcpServers")) {
    const { mcpServers } = document;
    return Array.isArray(mcpServers) ? shape(continueProvider, "mcpServers") : common(mcpServers);
  }
  if (has("servers")) return shape(vscodeProvider, "servers");
  if (!has("mcp")) return undefined;
  const inner = isRecord(document["mcp"]) ? (document["mcp"]["servers"] ?? document["mcp"]["mcpServers"]) : undefined;
  // The settings of VS Code had its servers there too; opencode's entries look different.
  if (isMapOfEntries(inner) && !Object.values(inner).some(isOpencodeEntry)) {
    return { provider: vscodeProvider, form: vscodeProvider.displayName, groups: [{ servers: inner }] };
  }
  return isMapOfEntries(inner)
    ? { ...shape(opencodeProvider), groups: [{ servers: inner }] }
    : shape(opencodeProvider, "mcp");
}

/** Servers under a key that many clients share, or under none. */
function common(servers: unknown): PastedShape {
  const entries = (Array.isArray(servers) ? servers : Object.values(isRecord(servers) ? servers : {})).filter(isRecord);
  const shape = (provider: FileProvider, form = provider.displayName): PastedShape => ({
    provider,
    form,
    groups: [{ servers }],
  });
  if (entries.some(isOpencodeEntry)) return shape(opencodeProvider);
  if (/\$\{input:/.test(JSON.stringify(entries))) return shape(vscodeProvider);
  // Their names of the address are understood in every entry.
  if (entries.some((entry) => Object.hasOwn(entry, "httpUrl"))) return shape(toolgateProvider, "Gemini CLI");
  if (entries.some((entry) => Object.hasOwn(entry, "serverUrl"))) return shape(toolgateProvider, "Windsurf");
  return shape(toolgateProvider, COMMON_FORM);
}

function isOpencodeEntry(entry: unknown): boolean {
  if (!isRecord(entry)) return false;
  return Object.hasOwn(entry, "environment") || (Array.isArray(entry["command"]) && entry["type"] === "local");
}

function isCollection(value: unknown): boolean {
  return isRecord(value) || Array.isArray(value);
}

function isEntry(value: unknown): boolean {
  if (!isRecord(value)) return false;
  const isSet = (field: string): boolean => {
    const content = Object.hasOwn(value, field) ? value[field] : undefined;
    return typeof content === "string" || Array.isArray(content);
  };
  return ENTRY_FIELDS.some(isSet);
}

function isMapOfEntries(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && Object.values(value).some(isEntry);
}
