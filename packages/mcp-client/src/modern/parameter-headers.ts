import { isRecord } from "@toolgate/contracts";

const ANNOTATION = "x-mcp-header";
const PREFIX = "Mcp-Param-";
/** What a header may be called (RFC 9110, 5.6.2). */
const TOKEN = /^[!#$%&'*+\-.^_`|~\w]+$/;
/** What a header can carry unchanged. */
const PLAIN = /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/;
/** How a value looks that is sent encoded. */
const ENCODED = /^=\?base64\?.*\?=$/i;
const TYPES: ReadonlySet<unknown> = new Set(["string", "integer", "boolean"]);
/** Keywords of a schema that hold schemas by name, and those that hold plain data. */
const NAMED_SCHEMAS: ReadonlySet<string> = new Set([
  "properties",
  "patternProperties",
  "dependentSchemas",
  "$defs",
  "definitions",
]);
const DATA: ReadonlySet<string> = new Set(["const", "enum", "default", "examples"]);

/** A parameter of a tool that a call repeats in a header, for proxies that route by it. */
export interface ParameterHeader {
  /** The header's name without its prefix. */
  name: string;
  /** Where the parameter stands in the arguments. */
  path: readonly string[];
}

/**
 * Reads which parameters a tool wants repeated in headers (revision 2026-07-28, Streamable HTTP, "x-mcp-header").
 *
 * @returns why the tool must not be offered, in one sentence, if it asks for what the revision forbids
 */
export function readParameterHeaders(inputSchema: unknown): ParameterHeader[] | string {
  const headers: ParameterHeader[] = [];
  const names = new Set<string>();
  // A queue that grows while it is walked through: a schema may be nested deeper than the stack is.
  const queue: { schema: unknown; path: readonly string[] | undefined }[] = [{ schema: inputSchema, path: [] }];
  for (const { schema, path } of queue) {
    if (!isRecord(schema)) continue;
    if (Object.hasOwn(schema, ANNOTATION)) {
      const name = schema[ANNOTATION];
      const shown = JSON.stringify(name);
      if (path === undefined || path.length === 0) return `its ${ANNOTATION} ${shown} stands where no parameter is`;
      if (typeof name !== "string" || !TOKEN.test(name)) return `its ${ANNOTATION} ${shown} is not a name of a header`;
      if (!TYPES.has(schema["type"])) return `its ${ANNOTATION} ${shown} is at a parameter that no header can carry`;
      if (names.has(name.toLowerCase())) return `its ${ANNOTATION} ${shown} is there twice`;
      names.add(name.toLowerCase());
      headers.push({ name, path });
    }
    queue.push(...schemasIn(schema, path));
  }
  return headers;
}

function schemasIn(
  schema: Record<string, unknown>,
  path: readonly string[] | undefined,
): { schema: unknown; path: readonly string[] | undefined }[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    if (DATA.has(keyword)) return [];
    const isParameters = keyword === "properties" && path !== undefined;
    if (NAMED_SCHEMAS.has(keyword) && isRecord(value)) {
      return Object.entries(value).map(([name, child]) => ({
        schema: child,
        path: isParameters ? [...path, name] : undefined,
      }));
    }
    const children: unknown[] = Array.isArray(value) ? value : [value];
    return children.map((child) => ({ schema: child, path: undefined }));
  });
}

/** What the tools of one server want repeated in headers, as far as it was listed. */
export class ParameterHeaders {
  readonly #byTool = new Map<string, readonly ParameterHeader[]>();

  /** Takes note of a page of `tools/list`. */
  learn(page: Record<string, unknown>): void {
    const { tools } = page;
    for (const tool of Array.isArray(tools) ? tools : []) {
      if (!isRecord(tool) || typeof tool["name"] !== "string") continue;
      const headers = readParameterHeaders(tool["inputSchema"]);
      if (typeof headers === "string" || headers.length === 0) this.#byTool.delete(tool["name"]);
      else this.#byTool.set(tool["name"], headers);
    }
  }

  /** The headers of a call; a parameter that is absent or null has none. */
  headersOf(params: Record<string, unknown> | undefined): Record<string, string> {
    const headers: Record<string, string> = {};
    for (const { name, path } of this.#byTool.get(String(params?.["name"])) ?? []) {
      const value = path.reduce<unknown>(
        (node, key) => (isRecord(node) ? node[key] : undefined),
        params?.["arguments"],
      );
      const text = toText(value);
      if (text !== undefined) headers[PREFIX + name] = encode(text);
    }
    return headers;
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  // Beyond these a server may read another number than was meant.
  return Number.isSafeInteger(value) ? String(value) : undefined;
}

function encode(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text).toString("base64")}?=`;
}
