import type { DiscoveryWarning } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { readConfigFile } from "./config-file.ts";
import { oncePerLoad } from "./once-per-load.ts";
import { formatOf, parseConfig } from "./parse-config.ts";
import type { ConfigFormat, ConfigParser } from "./parse-config.ts";

/** What became of reading and parsing a file. */
export type ConfigDocument =
  | { state: "absent" }
  | { state: "unusable"; warning: DiscoveryWarning }
  | { state: "parsed"; value: unknown; /** Same value for the same physical file. */ identity: string };

/**
 * Reads and parses a configuration file, once per load for all providers. The value is shared: it must not be changed.
 * Never rejects.
 */
export function readDocument(
  context: LoadContext,
  path: string,
  format: ConfigFormat | ConfigParser = formatOf(path),
): Promise<ConfigDocument> {
  // Two parsers may see different things in one file.
  if (typeof format === "function") return readAndParse(path, format);
  return oncePerLoad(context, `document:${format}:${path}`, () => readAndParse(path, format));
}

async function readAndParse(path: string, format: ConfigFormat | ConfigParser): Promise<ConfigDocument> {
  const file = await readConfigFile(path);
  if (file.state === "absent") return file;
  if (file.state === "refused") {
    return { state: "unusable", warning: { path, message: `The file ${file.message}.`, kind: "unusable-file" } };
  }
  return parseDocument(path, file, format);
}

/** Parses a text that was read already. Never rejects. */
export async function parseDocument(
  path: string,
  { text, identity }: { text: string; identity: string },
  format: ConfigFormat | ConfigParser,
): Promise<ConfigDocument> {
  const parsed = await parseConfig(text, format);
  if (parsed.ok) return { state: "parsed", value: parsed.value, identity };
  const { line, column } = parsed;
  const place = line === undefined ? "" : ` at line ${line}, column ${column}`;
  const message = `The file does not parse${place}: ${parsed.message}.`;
  const warning: DiscoveryWarning = { path, message, kind: "unusable-file" };
  if (line !== undefined) warning.line = line;
  if (column !== undefined) warning.column = column;
  return { state: "unusable", warning };
}
