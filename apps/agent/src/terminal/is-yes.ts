/** Whether a line says yes to a question; everything that is not clear does not. */
export function isYes(line: string): boolean {
  return /^y(?:es)?$/i.test(line.trim());
}
