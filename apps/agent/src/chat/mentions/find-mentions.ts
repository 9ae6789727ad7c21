/** Something that a person mentions with an `@`: a resource of a server, or what may be the path of a file. */
export interface Mention {
  /** The server whose resource it is; absent for a path. */
  server?: string;
  /**
   * What the URI or the path may be, the longest reading first: a sentence goes on right behind a mention, with a dot, a
   * bracket or a quote, which may also be its end. The last is what it is when none of them is known.
   */
  readings: readonly string[];
}

/** What an `@` stands behind when it begins a mention; within a word it is part of an e-mail address. */
const MAY_STAND_BEFORE = /[\s([{<"'`“‘«,;:*]/;
const CLOSING: Readonly<Record<string, string>> = { ")": "(", "]": "[", "}": "{", ">": "<" };
const MARKS = ".,;:!?…'\"`*”’»";
const QUOTES: Readonly<Record<string, string>> = { '"': '"', "'": "'", "`": "`", "“": "”", "‘": "’", "«": "»" };

/** What is pasted may hold anything; nothing that is longer is a URI or a path, nor has a sentence more marks at its end. */
const LONGEST_WORD = /^\S{0,4096}/;
const MAX_MARKS = 16;

/**
 * Finds what a text mentions: `@server:uri` of a known server, and `@path`. A text with blanks is one mention within
 * quotes, before or behind the `@`. Whether a path exists is for others to say.
 *
 * @param servers - The names of all servers; they may hold colons and blanks, so that the longest that fits wins.
 */
export function findMentions(text: string, servers: readonly string[]): Mention[] {
  const mentions: Mention[] = [];
  for (const { index } of text.matchAll(/@/g)) {
    if (!mayBeginMention(text, index)) continue;
    const mention = readMention(text.slice(index + 1), text.charAt(index - 1), servers);
    if (mention !== undefined) mentions.push(mention);
  }
  return mentions;
}

/** Whether the `@` at an index begins a word. */
export function mayBeginMention(text: string, index: number): boolean {
  return index === 0 || MAY_STAND_BEFORE.test(text.charAt(index - 1));
}

function readMention(rest: string, before: string, servers: readonly string[]): Mention | undefined {
  const inner = untilQuote(rest.slice(1), QUOTES[rest.charAt(0)]);
  const named = inner ?? rest;
  const server = findServer(named, servers);
  const target = server === undefined ? named : named.slice(server.length + 1);
  // A plain URI is no resource of a server that happens to be called like its scheme.
  if (server !== undefined && target.startsWith("//")) return undefined;
  const known = readingsOf(target, inner === undefined ? before : undefined).filter((reading) =>
    /[\p{L}\p{N}/]/u.test(reading),
  );
  if (known.length === 0) return undefined;
  return server === undefined ? { readings: known } : { server, readings: known };
}

/** What a target may be by what stands before its mention; one that was set in quotes itself is what it is. */
function readingsOf(target: string, before: string | undefined): string[] {
  if (before === undefined) return [target];
  const [word = ""] = LONGEST_WORD.exec(target) ?? [];
  const quoted = untilQuote(target, QUOTES[before]);
  if (quoted === undefined) return withoutMarks(word);
  return /\s/.test(quoted) ? [quoted, ...withoutMarks(word)] : withoutMarks(quoted);
}

/** The longest name of a server that a text begins with, before a colon. */
export function findServer(text: string, servers: readonly string[]): string | undefined {
  return servers.filter((name) => text.startsWith(`${name}:`)).toSorted((a, b) => b.length - a.length)[0];
}

/** What stands before the closing quote on the same line. */
function untilQuote(text: string, quote: string | undefined): string | undefined {
  const end = quote === undefined ? -1 : text.indexOf(quote);
  const inner = text.slice(0, Math.max(0, end));
  return inner === "" || inner.includes("\n") ? undefined : inner;
}

/** A word, and what is left of it without the marks at its end, one after the other; brackets of its own stay. */
function withoutMarks(word: string): string[] {
  const readings: string[] = [];
  let rest = word;
  while (rest !== "") {
    if (readings.push(rest) > MAX_MARKS) return [];
    const shorter = rest.replace(/['’]s$/, "");
    const last = rest.at(-1) ?? "";
    if (shorter !== rest) rest = shorter;
    else if (MARKS.includes(last) || isUnbalanced(rest, last)) rest = rest.slice(0, -1);
    else break;
  }
  return readings;
}

function isUnbalanced(text: string, closing: string): boolean {
  const opening = Object.hasOwn(CLOSING, closing) ? CLOSING[closing] : undefined;
  return opening !== undefined && text.split(closing).length > text.split(opening).length;
}
