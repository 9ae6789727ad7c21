import { findNearest } from "../../mcp-commands/nearest-name.ts";
import { splitWords } from "../../mcp-commands/split-words.ts";

/** An argument of a server's prompt. */
export interface PromptArgument {
  name: string;
  description?: string;
  required?: boolean;
}

/** What a person has given to a prompt, or what is wrong with it. */
export type ParsedPromptArguments =
  /** `missing` are the required arguments that are still to be given; `text` goes with the prompt. */
  | { ok: true; values: Record<string, string>; missing: PromptArgument[]; text: string }
  | { ok: false; problem: string };

/** A word, with quotes around all of it or a part. */
const WORD = /^(?:[^\s"'\\]|\\[\s\S]|"(?:[^"\\]|\\[\s\S])*"|'[^']*')+(?=\s|$)/;

/**
 * Understands what follows `/server:prompt`: first `key=value …` for arguments that the prompt has, then text as it is.
 * The text is the value of the only required argument when that was not given.
 */
export function parsePromptArguments(line: string, known: readonly PromptArgument[]): ParsedPromptArguments {
  const values: Record<string, string> = {};
  let rest = line.trim();
  while (rest !== "") {
    const word = WORD.exec(rest)?.[0] ?? /^\S+/.exec(rest)?.[0] ?? "";
    const [, key = ""] = /^([^\s=]+)=/.exec(word) ?? [];
    if (!known.some(({ name }) => name === key)) {
      const nearest = findNearest(
        key,
        known.map(({ name }) => name),
      );
      if (nearest === undefined) break;
      return { ok: false, problem: `There is no argument ${key}. Did you mean ${nearest}?` };
    }
    const value = word.slice(key.length + 1);
    values[key] = splitWords(value)?.join(" ") ?? value;
    rest = rest.slice(word.length).trimStart();
  }
  const required = known.filter((argument) => argument.required === true);
  const missing = required.filter(({ name }) => !Object.hasOwn(values, name));
  const [only] = missing;
  if (rest === "" || only === undefined || required.length > 1) return { ok: true, values, missing, text: rest };
  return { ok: true, values: { ...values, [only.name]: rest }, missing: [], text: "" };
}
