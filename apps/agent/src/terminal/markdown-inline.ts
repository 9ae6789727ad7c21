import type { Token, Tokens } from "marked";

import { decodeEntities } from "./decode-entities.ts";
import type { Style } from "./style.ts";

/** Text within a block, styled, on one line except for the line breaks that it asks for. */
export function renderInline(tokens: readonly Token[], style: Style): string {
  return tokens.map((token) => renderToken(token as Tokens.Generic, style)).join("");
}

function renderToken(token: Tokens.Generic, style: Style): string {
  const inner = (): string =>
    token.tokens === undefined ? flow(token["text"] as string | undefined) : renderInline(token.tokens, style);
  switch (token.type) {
    case "strong":
      return style.bold(inner());
    case "em":
      return style.italic(inner());
    case "del":
      return style.colored ? style.strikethrough(inner()) : `~~${inner()}~~`;
    case "codespan": {
      const code = String(token["text"]).replaceAll(/\s/g, " ");
      return style.colored ? style.accent(code) : `\`${code}\``;
    }
    case "link":
      return renderLink(inner(), token as Tokens.Link, style);
    case "image":
      return renderImage(token as Tokens.Image, style);
    case "br":
      return "\n";
    case "html":
      return /^<br\s*\/?>$/i.test(token.raw) ? "\n" : token.raw.replaceAll(/\s+/g, " ");
    case "checkbox":
      return token["checked"] === true ? "[x] " : "[ ] ";
    default:
      return inner();
  }
}

function renderLink(text: string, { text: source, href }: Tokens.Link, style: Style): string {
  const address = flow(href);
  const isAddress = [address, address.replace(/^mailto:/, ""), address.replace(/^https?:\/\//, "")].includes(source);
  return isAddress ? style.underline(text) : `${style.underline(text)} ${style.dim(`(${address})`)}`;
}

function renderImage({ text, href }: Tokens.Image, style: Style): string {
  const name = text === "" ? "[image]" : `[image: ${flow(text)}]`;
  return `${name} ${style.dim(`(${flow(href)})`)}`;
}

/** What stands on several lines of the source is one line. */
function flow(text = ""): string {
  return decodeEntities(text).replaceAll(/[ \t\n]+/g, " ");
}
