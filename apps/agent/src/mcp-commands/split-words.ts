/**
 * Splits a line as a shell would, without expanding anything: blanks separate, quotes keep together, a backslash takes
 * the next character as it is. Within single quotes everything is literal.
 *
 * @returns the words, or undefined when a quote is not closed
 */
export function splitWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (character === "\\" && quote !== "'" && index + 1 < line.length) {
      const next = line.charAt(index + 1);
      // Windows paths and JSON escapes stay whole: only what means something here is escaped.
      if (next === '"' || next === "'" || next === "\\" || (next === " " && quote === undefined)) {
        word = (word ?? "") + next;
        index += 1;
        continue;
      }
    }
    if (quote !== undefined) {
      if (character === quote) quote = undefined;
      else word = (word ?? "") + character;
    } else if (character === '"' || character === "'") {
      quote = character;
      word ??= "";
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? "") + character;
  }
  if (quote !== undefined) return undefined;
  return word === undefined ? words : [...words, word];
}
