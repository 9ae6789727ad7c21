/** What a person is told before a text of several lines is read. */
export const BLOCK_HINT = "Paste the text; what is no JSON ends with a line that holds only a dot.";

/**
 * Reads a text of several lines as it is typed or pasted: until a line that holds only a dot, until the JSON that it began
 * with is complete, or until there are no more lines.
 *
 * @param lines - Taken from one by one, and left open: what follows belongs to somebody else.
 */
export async function readBlock(lines: AsyncIterator<string>): Promise<string> {
  let text = "";
  while (true) {
    // oxlint-disable-next-line no-await-in-loop -- one line after the other
    const next = await lines.next();
    if (next.done === true || next.value.trim() === ".") return text;
    text += `${next.value}\n`;
    if (isCompleteJson(text)) return text;
  }
}

function isCompleteJson(text: string): boolean {
  if (!/^\s*[{[][\s\S]*[}\]]\s*$/.test(text)) return false;
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
