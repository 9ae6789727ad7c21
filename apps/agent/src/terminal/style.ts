import picocolors from "picocolors";

/** Turns a piece of text into a styled one; returns it as it is where colour is not wanted. */
type TextStyle = (text: string) => string;

/** The styles that the app uses. Colour only adds: whatever is said with it is also said in words or signs. */
export interface Style {
  /** Whether any styling is done. */
  readonly colored: boolean;
  readonly bold: TextStyle;
  readonly dim: TextStyle;
  readonly italic: TextStyle;
  readonly underline: TextStyle;
  readonly strikethrough: TextStyle;
  readonly good: TextStyle;
  readonly warning: TextStyle;
  readonly bad: TextStyle;
  readonly accent: TextStyle;
}

/** What decides about colour. */
export interface StyleOptions {
  env: Record<string, string | undefined>;
  /** Whether the stream is a terminal. */
  isTTY: boolean;
}

/** Whether colour may be used: only on a terminal that can, and never with `NO_COLOR`. */
export function isColorAllowed({ env, isTTY }: StyleOptions): boolean {
  if ((env["NO_COLOR"] ?? "") !== "" || env["TERM"] === "dumb") return false;
  if (env["FORCE_COLOR"] !== undefined && env["FORCE_COLOR"] !== "0") return true;
  return isTTY;
}

/** Makes the styles for one output stream. */
export function createStyle(options: StyleOptions): Style {
  const colored = isColorAllowed(options);
  const colors = picocolors.createColors(colored);
  return {
    colored,
    bold: colors.bold,
    dim: colors.dim,
    italic: colors.italic,
    underline: colors.underline,
    strikethrough: colors.strikethrough,
    good: colors.green,
    warning: colors.yellow,
    bad: colors.red,
    accent: colors.cyan,
  };
}

/** Styles that leave every text as it is. */
export const plainStyle: Style = createStyle({ env: { NO_COLOR: "1" }, isTTY: false });
