import type { Token, Tokens } from "marked";

import { lexMarkdown } from "./lex-markdown.ts";
import { renderInline } from "./markdown-inline.ts";
import { renderTable } from "./markdown-table.ts";
import { sanitizeText } from "./sanitize-text.ts";
import type { Style } from "./style.ts";
import { expandTabs, padStart, textWidth, widestOf } from "./text-width.ts";
import { wrapStyled } from "./wrap-text.ts";

/** How Markdown is laid out. */
export interface MarkdownLayout {
  style: Style;
  /** Columns at most, except for code, whose lines stay as they are. */
  width: number;
}

/** Nested deeper than the width allows, text goes on beyond it. */
const NARROWEST = 10;
const WIDEST_RULE = 40;
const CODE_INDENT = "    ";
const CODE_LANGUAGE_INDENT = "  ";
const BLOCK_TYPES = new Set(["heading", "paragraph", "code", "blockquote", "list", "table", "hr", "html", "space"]);

/** Markdown of whomever as lines for a terminal; readable without colour too. Lets no escape sequence through. */
export function renderMarkdown(text: string, layout: MarkdownLayout): string {
  return renderTokens(lexMarkdown(sanitizeText(text)), layout);
}

/** Blocks that were taken apart already, with an empty line between them. */
export function renderTokens(tokens: readonly Token[], layout: MarkdownLayout): string {
  return joinBlocks(tokens, layout, "\n\n");
}

/** The line that says which language a piece of code is in; none when nobody knows. */
export function renderCodeLanguage(info: string | undefined, style: Style): string[] {
  const language = /^\S+/.exec(info?.trim() ?? "")?.[0] ?? "";
  return language === "" ? [] : [CODE_LANGUAGE_INDENT + style.dim(language)];
}

/** A line of code, as it is. */
export function renderCodeLine(line: string): string {
  return line.trim() === "" ? "" : CODE_INDENT + expandTabs(line);
}

function joinBlocks(tokens: readonly Token[], layout: MarkdownLayout, separator: "\n" | "\n\n"): string {
  const blocks: string[][] = [];
  let inline: Token[] = [];
  const endInline = (): void => {
    if (inline.length > 0) blocks.push(wrapStyled(renderInline(inline, layout.style), layout.width));
    inline = [];
  };
  for (const token of tokens) {
    // The text of a list's item stands in no paragraph.
    if (!BLOCK_TYPES.has(token.type)) {
      inline.push(token);
      continue;
    }
    endInline();
    blocks.push(renderBlock(token, layout));
  }
  endInline();
  return blocks
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join(separator);
}

function renderBlock(token: Tokens.Generic, layout: MarkdownLayout): string[] {
  const { style, width } = layout;
  switch (token.type) {
    case "heading":
      return wrapStyled(
        style.bold(`${"#".repeat((token as Tokens.Heading).depth)} ${renderInline(token.tokens ?? [], style)}`),
        width,
      );
    case "paragraph":
      return wrapStyled(renderInline(token.tokens ?? [], style), width);
    case "code":
      return renderCode(token as Tokens.Code, style);
    case "blockquote":
      return narrowed(token.tokens ?? [], layout, { first: "│ ", rest: "│ ", separator: "\n\n" });
    case "list":
      return renderList(token as Tokens.List, layout);
    case "table":
      return renderTable(token as Tokens.Table, layout);
    case "hr":
      return [style.dim("─".repeat(Math.min(width, WIDEST_RULE)))];
    case "html":
      // What a model writes in angle brackets is as often a placeholder as it is a tag: it stays.
      return token.raw
        .trim()
        .split("\n")
        .flatMap((line) => wrapStyled(line, width));
    default:
      return [];
  }
}

function renderCode({ lang, text }: Tokens.Code, style: Style): string[] {
  const lines = text.split("\n").map((line) => renderCodeLine(line));
  while (lines.at(-1) === "") lines.pop();
  return [...renderCodeLanguage(lang, style), ...lines];
}

function renderList(list: Tokens.List, layout: MarkdownLayout): string[] {
  const start = typeof list.start === "number" ? list.start : 1;
  const markers = list.items.map((_, index) => (list.ordered ? `${start + index}. ` : "• "));
  const markerWidth = widestOf(markers);
  const separator = list.loose ? "\n\n" : "\n";
  const items = list.items.map((item, index) =>
    narrowed(item.tokens, layout, {
      first: padStart(markers[index] ?? "", markerWidth),
      rest: " ".repeat(markerWidth),
      separator,
    }).join("\n"),
  );
  return items.join(separator).split("\n");
}

/** Blocks within a block: narrower, and behind something. */
function narrowed(
  tokens: readonly Token[],
  layout: MarkdownLayout,
  { first, rest, separator }: { first: string; rest: string; separator: "\n" | "\n\n" },
): string[] {
  const width = Math.max(NARROWEST, layout.width - textWidth(first));
  return joinBlocks(tokens, { ...layout, width }, separator)
    .split("\n")
    .map((line, index) => ((index === 0 ? first : rest) + line).trimEnd());
}
