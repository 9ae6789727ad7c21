import type * as jsoncParser from "jsonc-parser";
import type { JSONPath, Node } from "jsonc-parser";

/** What of jsonc-parser is used here; handed in because it is loaded only when something is edited. */
export type JSONCParser = Pick<
  typeof jsoncParser,
  "applyEdits" | "findNodeAtLocation" | "parseTree" | "printParseErrorCode"
>;

/** Indentation and line ending that a text has. */
export interface TextStyle {
  indentation: string;
  lineEnding: string;
}

/** Works out the style of a text; two spaces and a line feed where it does not say. */
export function detectStyle(text: string): TextStyle {
  const [, indentation = "  "] = /^([ \t]+)\S/m.exec(text) ?? [];
  return { indentation, lineEnding: /\r?\n/.exec(text)?.[0] ?? "\n" };
}

/**
 * Sets the value at a path, making the objects on the way. The parser's own `modify` moves or drops comments beside the
 * place and lays out its neighbours anew; this touches nothing else.
 */
export function setJsonValue(parser: JSONCParser, text: string, change: { path: JSONPath; value: unknown }): string {
  const { path, value } = change;
  const root = parser.parseTree(text, [], { allowTrailingComma: true });
  if (root === undefined) return text;
  const style = detectStyle(text);
  const present = parser.findNodeAtLocation(root, path);
  if (present !== undefined) {
    const content = format(value, style, lineIndentation(text, present.offset));
    return parser.applyEdits(text, [{ offset: present.offset, length: present.length, content }]);
  }
  let depth = path.length - 1;
  let parent = parser.findNodeAtLocation(root, path.slice(0, depth));
  while (parent === undefined && depth > 0) {
    depth -= 1;
    parent = parser.findNodeAtLocation(root, path.slice(0, depth));
  }
  if (parent?.type !== "object") return text;
  // Computed keys make own properties, also of "__proto__".
  const inner = path.slice(depth + 1).reduceRight<unknown>((nested, key) => ({ [key]: nested }), value);
  return insertProperty(parser, text, { parent, key: String(path[depth]), value: inner, style });
}

interface Insertion {
  parent: Node;
  key: string;
  value: unknown;
  style: TextStyle;
}

function insertProperty(parser: JSONCParser, text: string, { parent, key, value, style }: Insertion): string {
  const open = parent.offset;
  const close = open + parent.length - 1;
  const last = parent.children?.at(-1);
  const end = last === undefined ? open + 1 : last.offset + last.length;
  const comma = last === undefined ? -1 : commaBetween(text, end);
  // Behind the comments that follow the last property.
  const offset = end + text.slice(end, close).trimEnd().length;
  const isInline = last !== undefined && !/[\r\n]/.test(text.slice(open, close));
  const edits = last !== undefined && comma === -1 ? [{ offset: end, length: 0, content: "," }] : [];
  const trailing = comma === -1 ? "" : ",";
  if (isInline) {
    const space = /^\{\s/.test(text.slice(open)) ? " " : "";
    const content = `${space}${JSON.stringify(key)}:${space}${JSON.stringify(value)}${trailing}`;
    return parser.applyEdits(text, [...edits, { offset, length: 0, content }]);
  }
  const outer = lineIndentation(text, open);
  const first = parent.children?.[0];
  const inner = first === undefined ? outer + style.indentation : lineIndentation(text, first.offset);
  const property = `${JSON.stringify(key)}: ${format(value, style, inner)}${trailing}`;
  const closesOnOwnLine = /[\r\n]/.test(text.slice(offset, close));
  const after = closesOnOwnLine ? "" : style.lineEnding + outer;
  return parser.applyEdits(text, [
    ...edits,
    { offset, length: closesOnOwnLine ? 0 : close - offset, content: `${style.lineEnding}${inner}${property}${after}` },
  ]);
}

/** Removes the property at a path with its comma, and its line when nothing else is on it. Comments stay. */
export function removeJsonValue(parser: JSONCParser, text: string, path: JSONPath): string {
  const root = parser.parseTree(text, [], { allowTrailingComma: true });
  const property = root === undefined ? undefined : parser.findNodeAtLocation(root, path)?.parent;
  const parent = property?.parent;
  if (property === undefined || parent?.children === undefined) return text;
  const index = parent.children.indexOf(property);
  const previous = parent.children[index - 1];
  let start = property.offset;
  let end = start + property.length;
  const edits = [];
  const following = commaBetween(text, end);
  if (following !== -1) {
    // With a comment between value and comma the comma alone goes.
    if (text.slice(end, following).trim() === "") end = following + 1;
    else edits.push({ offset: following, length: 1, content: "" });
  } else if (previous !== undefined) {
    const preceding = commaBetween(text, previous.offset + previous.length);
    if (
      preceding !== -1 &&
      text.slice(preceding + 1, start).trim() === "" &&
      !/[\r\n]/.test(text.slice(preceding, start))
    ) {
      start = preceding;
    } else if (preceding !== -1) edits.push({ offset: preceding, length: 1, content: "" });
  }
  const line = wholeLine(text, start, end);
  if (line !== undefined) [start, end] = line;
  else if (start === property.offset) end += /^[ \t]*/.exec(text.slice(end))?.[0].length ?? 0;
  return parser.applyEdits(text, [...edits, { offset: start, length: end - start, content: "" }]);
}

/** Offset of the comma between two properties; what is there besides is white space and comments. */
function commaBetween(text: string, from: number): number {
  const match = /^(?:\s|\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)*,/.exec(text.slice(from));
  return match === null ? -1 : from + match[0].length - 1;
}

/** The whole lines of a range with their ending, when nothing else but white space is on them. */
function wholeLine(text: string, start: number, end: number): [number, number] | undefined {
  const before = /(?:^|[\r\n])([ \t]*)$/.exec(text.slice(0, start));
  const after = /^[ \t]*(?:\r?\n|$)/.exec(text.slice(end));
  const indentation = before?.[1];
  return indentation === undefined || after === null ? undefined : [start - indentation.length, end + after[0].length];
}

function lineIndentation(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

function format(value: unknown, style: TextStyle, indentation: string): string {
  const text = JSON.stringify(value, null, style.indentation);
  return text.replaceAll("\n", style.lineEnding + indentation);
}
