import { isRecord } from "@toolgate/contracts";

const DECLARATION = "x-mcp-header";
const PREFIX = "Mcp-Param-";
/** A token as RFC 9110 has it. */
const TOKEN = /^[\w!#$%&'*+.^`|~-]+$/;
/** What a header can carry as it is; anything else goes in base64. */
const PLAIN = /^[!-~](?:[\t -~]*[!-~])?$/;
const ENCODED = /^=\?base64\?.*\?=$/;

/**
 * The arguments that a tool's schema wants in headers too, so that what stands between client and server can see them.
 *
 * @param schema - The tool's input schema.
 */
export function parameterHeaders(schema: unknown, args: unknown): Record<string, string> {
  const headers: Record<string, string> = {};
  collect(schema, args, headers);
  return headers;
}

/** Whether a schema wants any of its arguments in headers. */
export function wantsHeaders(schema: unknown): boolean {
  const properties = isRecord(schema) && isRecord(schema["properties"]) ? Object.values(schema["properties"]) : [];
  return properties.some((property) => (isRecord(property) && DECLARATION in property) || wantsHeaders(property));
}

function collect(schema: unknown, value: unknown, headers: Record<string, string>): void {
  if (!isRecord(schema) || !isRecord(schema["properties"]) || !isRecord(value)) return;
  for (const [key, property] of Object.entries(schema["properties"])) {
    if (!isRecord(property)) continue;
    const name = property[DECLARATION];
    const text = toText(value[key]);
    if (typeof name === "string" && TOKEN.test(name) && text !== undefined) headers[PREFIX + name] = encode(text);
    collect(property, value[key], headers);
  }
}

function toText(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "boolean" || Number.isSafeInteger(value) ? String(value) : undefined;
}

function encode(text: string): string {
  if (PLAIN.test(text) && !ENCODED.test(text)) return text;
  return `=?base64?${Buffer.from(text, "utf8").toString("base64")}?=`;
}
