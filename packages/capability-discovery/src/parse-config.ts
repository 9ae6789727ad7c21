import { messageOf } from "@toolgate/contracts";
import type { Node, ParseError } from "jsonc-parser";

/** The formats that configuration files have. `any` is for files without an extension: JSON, else YAML. */
export type ConfigFormat = "json" | "toml" | "yaml" | "any";

/** A parser for a format of one's own. What it throws becomes the file's warning. */
export type ConfigParser = (text: string) => unknown;

/** What became of parsing a text. */
export type ParsedConfig =
  | { ok: true; value: unknown }
  | { ok: false; message: string; line?: number; column?: number };

/** The format that a file's name says. */
export function formatOf(path: string): ConfigFormat {
  if (/\.jsonc?$/i.test(path)) return "json";
  if (/\.toml$/i.test(path)) return "toml";
  return /\.ya?ml$/i.test(path) ? "yaml" : "any";
}

/**
 * Parses a configuration file's text. A blank text is an empty object. JSON may have comments and trailing commas. The
 * parsers of JSONC, TOML and YAML are loaded when a text needs them. Never rejects.
 */
export async function parseConfig(text: string, format: ConfigFormat | ConfigParser): Promise<ParsedConfig> {
  if (text.trim() === "") return { ok: true, value: {} };
  try {
    if (typeof format === "function") return { ok: true, value: await format(text) };
    switch (format) {
      case "json":
        return await parseJson(text);
      case "toml":
        return await parseToml(text);
      case "yaml":
        return await parseYaml(text);
      default:
        return /^\s*(?:[{[]|\/[/*])/.test(text) ? await parseJson(text) : await parseYaml(text);
    }
  } catch (error) {
    // Recursive parsers run out of stack on absurd nesting.
    return { ok: false, message: error instanceof RangeError ? "is nested too deeply" : firstLine(messageOf(error)) };
  }
}

async function parseJson(text: string): Promise<ParsedConfig> {
  try {
    return { ok: true, value: JSON.parse(text) as unknown };
  } catch {
    return parseJsonc(text);
  }
}

/** Parses JSON with comments and trailing commas, and says where the first error is. */
async function parseJsonc(text: string): Promise<ParsedConfig> {
  const { parseTree, printParseErrorCode } = await import("jsonc-parser");
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first !== undefined) {
    return {
      ok: false,
      message: describeJsonError(printParseErrorCode(first.error)),
      ...positionAt(text, first.offset),
    };
  }
  return { ok: true, value: root === undefined ? {} : toValue(root) };
}

/** Turns a name such as `CommaExpected` into words. */
function describeJsonError(code: string): string {
  return code.replaceAll(/([a-z])([A-Z])/g, "$1 $2").toLowerCase();
}

/** The value of a node; own properties only, also of a key "__proto__", and plain objects as `JSON.parse` makes them. */
export function toValue(node: Node): unknown {
  if (node.type === "array") return (node.children ?? []).map(toValue);
  if (node.type !== "object") return node.value as unknown;
  const entries = (node.children ?? []).flatMap(({ children: [key, value] = [] }) =>
    key === undefined || value === undefined ? [] : [[key.value as string, toValue(value)] as const],
  );
  return Object.fromEntries(entries);
}

async function parseToml(text: string): Promise<ParsedConfig> {
  const { parse, TomlError } = await import("smol-toml");
  try {
    return { ok: true, value: parse(text) };
  } catch (error) {
    if (!(error instanceof TomlError)) throw error;
    return { ok: false, message: firstLine(error.message), line: error.line, column: error.column };
  }
}

async function parseYaml(text: string): Promise<ParsedConfig> {
  // Only the loader is used. The search would run code of the working directory.
  const { defaultLoaders } = await import("cosmiconfig");
  try {
    const value: unknown = defaultLoaders[".yaml"]("", text);
    return { ok: true, value: value ?? {} };
  } catch (error) {
    const mark = readMark(error);
    return { ok: false, message: yamlReason(error), ...mark };
  }
}

function readMark(error: unknown): { line?: number; column?: number } {
  const mark: unknown = error instanceof Error ? Reflect.get(error, "mark") : undefined;
  if (typeof mark !== "object" || mark === null) return {};
  const line: unknown = Reflect.get(mark, "line");
  const column: unknown = Reflect.get(mark, "column");
  return typeof line === "number" && typeof column === "number" ? { line: line + 1, column: column + 1 } : {};
}

function yamlReason(error: unknown): string {
  const reason: unknown = error instanceof Error ? Reflect.get(error, "reason") : undefined;
  return typeof reason === "string" ? reason : firstLine(messageOf(error));
}

/** 1-based line and column of an offset. */
export function positionAt(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset);
  const lastBreak = before.lastIndexOf("\n");
  return { line: before.split("\n").length, column: offset - lastBreak };
}

// Parsers quote the text that they choked on in the further lines, and that may hold a secret.
function firstLine(message: string): string {
  return message.split("\n", 1)[0] ?? message;
}
