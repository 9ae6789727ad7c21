import type { MaybePromise } from "@toolgate/contracts";

import { splitWords } from "../../mcp-commands/split-words.ts";

/** The arguments that `key=value` pairs are for. */
export interface PairsSource {
  keys: readonly string[];
  /** Values that begin with what is typed; more do no harm. `given` are the pairs before. */
  valuesOf: (key: string, typed: string, given: Record<string, string>) => MaybePromise<readonly string[]>;
}

/** The words of a line before the last one, and the last one as it is typed. Quotes open where a value begins. */
export function splitLastWord(line: string): { before: string[]; word: string } {
  let start = 0;
  let quote: string | undefined;
  for (let index = 0; index < line.length; index += 1) {
    const character = line.charAt(index);
    if (quote !== undefined) {
      if (character === "\\" && quote === '"') index += 1;
      else if (character === quote) quote = undefined;
    } else if (/\s/.test(character)) start = index + 1;
    else if (/["']/.test(character) && /[\s=]|^$/.test(line.charAt(index - 1))) quote = character;
  }
  const whole = line.slice(0, start);
  return { before: splitWords(whole) ?? whole.trim().split(/\s+/), word: line.slice(start) };
}

/**
 * Completes a `key=value` word: the keys that were not given yet, then values of the key. Values with blanks are quoted.
 *
 * @param before - The whole words before it.
 */
export async function completePairs(
  before: readonly string[],
  word: string,
  { keys, valuesOf }: PairsSource,
): Promise<string[]> {
  const given = Object.fromEntries(
    before.flatMap((text) => {
      const [, key, value] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? [];
      return key === undefined || value === undefined ? [] : [[key, value] as const];
    }),
  );
  const split = word.indexOf("=");
  if (split < 1) {
    return keys.filter((key) => key.startsWith(word) && !Object.hasOwn(given, key)).map((key) => `${key}=`);
  }
  const key = word.slice(0, split);
  if (!keys.includes(key)) return [];
  const typed = unquote(word.slice(split + 1));
  const values = await valuesOf(key, typed, given);
  return values.filter((value) => value.startsWith(typed)).map((value) => `${key}=${toWord(value)} `);
}

/** The value of a word of which the closing quote may not be typed yet. */
function unquote(text: string): string {
  const opening = /^["']/.exec(text)?.[0] ?? "";
  return (splitWords(text) ?? splitWords(text + opening))?.join(" ") ?? text;
}

function toWord(value: string): string {
  return /^[^\s"'\\]+$/.test(value) ? value : `"${value.replace(/["\\]/g, String.raw`\$&`)}"`;
}
