/** A style, or a character that a terminal obeys; tabs and line feeds are text. */
// oxlint-disable-next-line no-control-regex -- these characters are what this is about
const STYLE_OR_CONTROL = /(\u001b\[[\d;]*m)|[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;

/**
 * Takes everything out of a text that a terminal obeys, but for styles (`ESC [ … m`). Whoever shows words of somebody else
 * makes them safe where they come from; this is the last gate, for what was forgotten there.
 */
export function keepStyles(text: string): string {
  return text.replace(STYLE_OR_CONTROL, "$1");
}
