/**
 * Splits a command line into words, with single and double quotes as in a shell.
 *
 * @returns `undefined` for what only a shell understands: operators, globs, escapes and open quotes
 */
export function splitCommand(text: string): string[] | undefined {
  const bare = text.replaceAll(/"[^"]*"|'[^']*'/g, "");
  if (/["'|&;<>()`\\*?#\n]/.test(bare)) return undefined;
  const words = text.match(/(?:[^\s"']|"[^"]*"|'[^']*')+/g) ?? [];
  return words.map((word) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, "$1$2"));
}
