import { createAnsiSequenceParser } from "ansi-sequence-parser";

const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const PADDING = 16;
const BACKGROUND = "#16181d";
const FOREGROUND = "#d7dae0";
const COLORS = {
  black: "#5c6370",
  red: "#e5707a",
  green: "#8cc570",
  yellow: "#d9b86a",
  blue: "#6aaef0",
  magenta: "#c58be0",
  cyan: "#5fbcc6",
  white: FOREGROUND,
  brightBlack: "#7d8590",
  brightRed: "#f08a93",
  brightGreen: "#a2d98a",
  brightYellow: "#ecd08a",
  brightBlue: "#8ac2f8",
  brightMagenta: "#d7a5ee",
  brightCyan: "#7fd3dc",
  brightWhite: "#ffffff",
};
const wide = /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60]/u;

/**
 * Draws a terminal's screen: one text element per run of equal style, each at its own column, so that a font of another
 * width cannot move a table.
 *
 * @param {string} screen - With the escape sequences of its colours.
 * @param {{ title: string, columns: number }} options - `title` is what a screen reader says.
 * @returns {string} an SVG document
 */
export function renderSvg(screen, { title, columns }) {
  const parser = createAnsiSequenceParser();
  const lines = screen.replace(/\s+$/, "").split("\n");
  const rows = lines.map((line, row) => renderLine(parser.parse(line), row));
  const width = Math.ceil(columns * CELL_WIDTH + 2 * PADDING);
  const height = lines.length * LINE_HEIGHT + 2 * PADDING;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">`,
    `<title>${escape(title)}</title>`,
    `<rect width="100%" height="100%" rx="8" fill="${BACKGROUND}"/>`,
    `<g font-family="ui-monospace, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14" fill="${FOREGROUND}" xml:space="preserve">`,
    ...rows.filter((row) => row !== ""),
    "</g>",
    "</svg>",
    "",
  ].join("\n");
}

/**
 * @param {import("ansi-sequence-parser").ParseToken[]} tokens
 * @param {number} row
 */
function renderLine(tokens, row) {
  const y = PADDING + (row + 0.75) * LINE_HEIGHT;
  let column = 0;
  let line = "";
  for (const token of tokens) {
    const width = Array.from(token.value).reduce((sum, character) => sum + (wide.test(character) ? 2 : 1), 0);
    if (token.value.trim() !== "") {
      const x = PADDING + column * CELL_WIDTH;
      const length = `textLength="${(width * CELL_WIDTH).toFixed(1)}" lengthAdjust="spacingAndGlyphs"`;
      line += `<text x="${x.toFixed(1)}" y="${y}" ${length}${styleOf(token)}>${escape(token.value)}</text>`;
    }
    column += width;
  }
  return line;
}

/** @param {import("ansi-sequence-parser").ParseToken} token */
function styleOf({ foreground, decorations }) {
  const color = foreground?.type === "named" ? COLORS[foreground.name] : undefined;
  return [
    color === undefined ? "" : ` fill="${color}"`,
    decorations.has("bold") ? ' font-weight="bold"' : "",
    decorations.has("dim") ? ' opacity="0.6"' : "",
    decorations.has("italic") ? ' font-style="italic"' : "",
    decorations.has("underline") ? ' text-decoration="underline"' : "",
  ].join("");
}

/** @param {string} text */
function escape(text) {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
