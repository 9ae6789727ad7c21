/** What a prompt holds that can be an argument, each in the order in which it stands there. */
export interface PromptWords {
  /** `key=value`; quotes around a value are taken off. */
  pairs: { key: string; value: string }[];
  /** Texts in quotes or backticks. */
  quoted: string[];
  numbers: number[];
  /** Words with a slash, a backslash or a file's ending, and a lone dot; addresses on the web are apart. */
  paths: string[];
  urls: string[];
  /** JSON objects and lists. */
  json: unknown[];
  /** What is left, in words. */
  plain: string[];
}

const QUOTED = String.raw`"(?:[^"\\]|\\.)*"|'[^']*'|‘[^’]*’|“[^”]*”|` + "`[^`]*`";
const PAIR = new RegExp(String.raw`(?<![^\s,(])([A-Za-z_][\w.-]*)=(${QUOTED}|[^\s"'][^\s]*)`, "g");
const JSON_VALUE = /(?<!\S)(?:\{.*\}|\[.*\])/gs;

/** Takes a prompt apart. Pure, and the same for the same prompt. */
export function readPromptWords(prompt: string): PromptWords {
  const words: PromptWords = { pairs: [], quoted: [], numbers: [], paths: [], urls: [], json: [], plain: [] };
  let rest = prompt.replace(PAIR, (_whole, key: string, value: string) => {
    words.pairs.push({ key, value: unquote(value) });
    return " ";
  });
  rest = rest.replace(JSON_VALUE, (text) => {
    try {
      words.json.push(JSON.parse(text));
      return " ";
    } catch {
      return text;
    }
  });
  // An apostrophe within a word opens no quote.
  rest = rest.replace(new RegExp(String.raw`(?<!\w)(?:${QUOTED})(?!\w)`, "g"), (text) => {
    words.quoted.push(unquote(text));
    return " ";
  });
  for (const word of rest.split(/\s+/)) sortWord(word, words);
  return words;
}

function sortWord(word: string, words: PromptWords): void {
  if (/^https?:\/\/\S+$/i.test(word)) {
    words.urls.push(word.replace(/[,;!?)]+$/, ""));
    return;
  }
  const bare = word.replace(/^[([]+|[,;:!?)\]]+$/g, "");
  // The full stop of a sentence belongs to no number and no path; a lone dot is this directory.
  const text = /^\.{1,2}$/.test(bare) ? bare : bare.replace(/\.$/, "");
  if (text === "") return;
  if (/^[-+]?\d+(?:\.\d+)?$/.test(text)) words.numbers.push(Number(text));
  else if (/^\.{1,2}$|[/\\]|^~|\.[A-Za-z][A-Za-z0-9]{0,5}$/.test(text)) words.paths.push(text);
  else words.plain.push(text);
}

function unquote(text: string): string {
  if (!/^["'`‘“]/.test(text)) return text.replace(/,$/, "");
  const inner = text.slice(1, -1);
  return text.startsWith('"') ? inner.replaceAll(/\\(.)/g, "$1") : inner;
}
