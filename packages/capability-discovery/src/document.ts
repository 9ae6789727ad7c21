import type { DiscoveryWarning } from "@toolgate/contracts";

import type { LoadContext } from "./capability.ts";
import { readConfigFile } from "./config-file.ts";
import { formatOf, parseConfig } from "./parse-config.ts";
import type { ConfigFormat } from "./parse-config.ts";

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
  format: ConfigFormat = formatOf(path),
): Promise<ConfigDocument> {
  const key = `document:${format}:${path}`;
  const known = context.shared?.get(key) as Promise<ConfigDocument> | undefined;
  if (known !== undefined) return known;
  const document = readAndParse(path, format);
  context.shared?.set(key, document);
  return document;
}

async function readAndParse(path: string, format: ConfigFormat): Promise<ConfigDocument> {
  const file = await readConfigFile(path);
  if (file.state === "absent") return file;
  if (file.state === "refused") {
    return { state: "unusable", warning: { path, message: `The file ${file.message}.`, kind: "unusable-file" } };
  }
  const parsed = await parseConfig(file.text, format);
  if (parsed.ok) return { state: "parsed", value: parsed.value, identity: file.identity };
  const { line, column } = parsed;
  const place = line === undefined ? "" : ` at line ${line}, column ${column}`;
  const message = `The file does not parse${place}: ${parsed.message}.`;
  const warning: DiscoveryWarning = { path, message, kind: "unusable-file" };
  if (line !== undefined) warning.line = line;
  if (column !== undefined) warning.column = column;
  return { state: "unusable", warning };
}
