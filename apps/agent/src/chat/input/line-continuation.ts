/** Whether a line goes on in the next one: it ends with a backslash, and not with an escaped one. */
export function endsWithBackslash(text: string): boolean {
  return /(?:^|[^\\])\\$/.test(text);
}
