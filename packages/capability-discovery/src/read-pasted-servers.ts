import { isRecord, messageOf, ToolgateError } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { isNestedTooDeeply } from "./entry-depth.ts";
import { inputVariable } from "./entry-item.ts";
import { listEntries } from "./file-provider.ts";
import type { FileRules, FileScope } from "./file-provider.ts";
import type { DeclaredEntry } from "./find-entry.ts";
import type { TextPart } from "./interpolate.ts";
import { parseConfig } from "./parse-config.ts";
import { recognizeShape } from "./pasted-shape.ts";
import { createPlaces, findProjectFolders } from "./places.ts";
import { toolgateProvider } from "./providers/toolgate.ts";
import { readUnexpandedEntry } from "./unexpanded-entry.ts";
import { writeEntry } from "./write-entry.ts";
import type { WritingClient } from "./write-entry.ts";
import { writingClientOf } from "./write-target.ts";

/** Options of {@link readPastedServers}. */
export interface ReadPastedOptions {
  context: LoadContext;
  /** What a single entry without a name of its own is called. @default such an entry is refused */
  name?: string;
}

/** A server of a pasted text. */
export interface PastedServer {
  name: string;
  /**
   * In Toolgate's own form, with references such as `${TOKEN}` that are not expanded; `addServer` takes it. May hold
   * secrets.
   */
  config: MCPServerConfig;
  /** File of further environment variables, for clients that have such a field. */
  envFile?: string;
  /** What a person should know, as whole sentences; no secrets. */
  warnings: string[];
}

/** What a pasted text holds. */
export interface PastedServers {
  /** Whose form it is, for example `VS Code`. */
  form: string;
  servers: PastedServer[];
  /** Entries that cannot be used, with the reason; no secrets. */
  problems: { name: string; message: string }[];
}

/** Where errors say that something stands. */
const PASTED = "the pasted text";

/**
 * Reads servers that a person has copied from a page or from the file of any client: JSON with or without comments, also
 * without its outer braces, TOML and YAML. Whose form it is shows by its shape. References are kept, never expanded;
 * inputs that VS Code would ask for become environment variables.
 *
 * @throws ToolgateError `CONFIG_INVALID` when the text does not parse or holds no servers; the message quotes nothing of it
 */
export async function readPastedServers(text: string, { context, name }: ReadPastedOptions): Promise<PastedServers> {
  const document = await parsePasted(text);
  const shape = recognizeShape(document, name);
  if (shape === "nameless") {
    throw new ToolgateError("CONFIG_INVALID", "The text is a single server without a name. Say how to call it.");
  }
  if (shape === undefined) throw noServers();
  const { provider, form, groups } = shape;
  const problems: PastedServers["problems"] = [];
  const servers: PastedServer[] = [];
  const warnings: { message: string; server: string | undefined }[] = [];
  const scope: FileScope = {
    path: PASTED,
    level: "user",
    places: createPlaces(context),
    projectFolders: findProjectFolders(context),
    document: isRecord(document) ? document : {},
    warn: (message, server) => warnings.push({ message, server }),
  };
  const entries = groups.flatMap((group) => listEntries(group, scope));
  if (entries.length === 0 && warnings.length === 0) throw noServers();
  problems.push(...warnings.splice(0).map(({ message, server = "" }) => ({ name: server, message })));
  const rules: FileRules = { ...provider.description };
  const client = nativeClient(context);
  for (const entry of entries) {
    try {
      const server = convertPasted(
        { ...entry, rules, scope, file: { path: PASTED, level: "user" }, warnings: [] },
        client,
      );
      const own = warnings.splice(0).map(({ message }) => `${entry.name}: ${message}`);
      servers.push({ ...server, warnings: [...own, ...server.warnings] });
    } catch (error) {
      warnings.length = 0;
      problems.push({ name: entry.name, message: messageOf(error) });
    }
  }
  return { form, servers, problems };
}

function noServers(): ToolgateError {
  return new ToolgateError(
    "CONFIG_INVALID",
    "The text holds no MCP servers: it needs an entry with a command or an address, " +
      "alone or under a key such as mcpServers, servers, context_servers, mcp or mcp_servers.",
  );
}

/** Toolgate as a client to write for. */
function nativeClient(context: LoadContext): WritingClient {
  const { description } = toolgateProvider;
  const { writing = { transports: {} } } = description;
  const file = { path: PASTED, level: "user" as const };
  return writingClientOf(
    { provider: { ...toolgateProvider, description: { ...description, writing } }, file, key: [] },
    context,
  );
}

function convertPasted(declared: DeclaredEntry, client: WritingClient): PastedServer {
  const { name, raw } = declared;
  if (name.trim() === "") throw invalid(name, "has an empty name");
  if (isNestedTooDeeply(raw)) throw invalid(name, "is nested too deeply or too large");
  const entry = readUnexpandedEntry(declared);
  const asked = new Set<string>();
  const split = (text: string): TextPart[] => entry.split(text).map((part) => answerByVariable(part, asked));
  const { envFile, ...config } = writeEntry(name, { ...entry, split }, client);
  return {
    name,
    config: config as unknown as MCPServerConfig,
    ...(typeof envFile === "string" ? { envFile } : {}),
    warnings: [...asked].map((variable) => `${name} takes an input: set the environment variable ${variable}.`),
  };
}

/** An input that a client asks for is an environment variable here, the same one that answers it in the client's file. */
function answerByVariable(part: TextPart, asked: Set<string>): TextPart {
  if (typeof part === "string" || part.kind !== "input") return part;
  const name = inputVariable(part.name);
  asked.add(name);
  return { text: `\${${name}}`, form: "${NAME}", kind: "variable", name };
}

async function parsePasted(text: string): Promise<unknown> {
  const trimmed = unfence(text.replace(/^\uFEFF/, "")).trim();
  if (trimmed === "") throw new ToolgateError("CONFIG_INVALID", "There is nothing to read: the text is empty.");
  const format = formatOfText(trimmed);
  // Pages often show an entry with its name and nothing around it.
  const isFragment = format === "json" && trimmed.startsWith('"');
  const parsed = await parseConfig(isFragment ? `{${trimmed}}` : trimmed, format);
  if (parsed.ok) return parsed.value;
  const place = parsed.line === undefined ? "" : ` at line ${parsed.line}, column ${parsed.column}`;
  throw new ToolgateError("CONFIG_INVALID", `The text does not parse${place}: ${parsed.message}.`);
}

/** The inside of a block of Markdown, as it is copied from a readme. */
function unfence(text: string): string {
  const [, inner] = /^\s*```[^\n]*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  return inner ?? text;
}

function formatOfText(text: string): "json" | "toml" | "yaml" {
  if (/^(?:\{|\[\s*[{\]]|\/[/*]|")/.test(text) && !/^"[^"]*"\s*=/.test(text)) return "json";
  return /^\s*\[[^\]\n]+\]\s*(?:#.*)?$/m.test(text) || /^\s*[\w."-]+\s*=/m.test(text) ? "toml" : "yaml";
}

function invalid(name: string, reason: string): ToolgateError {
  return new ToolgateError("CONFIG_INVALID", `Server ${JSON.stringify(name)} of ${PASTED} ${reason}.`, {
    server: name,
  });
}
