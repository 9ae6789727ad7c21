import { createContext, Script } from "node:vm";

import { isRecord, messageOf } from "@toolgate/contracts";

/** Milliseconds that an expression has for one file. */
const TIMEOUT_MS = 2000;

/** A line that was found, counted from 1. */
export interface LineMatch {
  line: number;
  text: string;
}

/** Finds lines in texts. */
export interface LineMatcher {
  /** @throws Error for the model when the expression takes too long */
  find(text: string, limit: number): LineMatch[];
}

const SEARCH = new Script(`
  (() => {
    const found = [];
    const lines = text.split(/\\r?\\n/);
    for (let index = 0; index < lines.length && found.length < limit; index += 1) {
      if (expression.test(lines[index])) found.push(index);
    }
    return found.join();
  })()
`);

/**
 * Makes the matcher of a regular expression that a model wrote. Some expressions take longer than the universe is old;
 * a script of its own is the only thing that can be stopped from within one thread.
 *
 * @throws Error for the model when it is no regular expression
 */
export function createLineMatcher(pattern: string, { ignoreCase }: { ignoreCase: boolean }): LineMatcher {
  const sandbox: Record<string, unknown> = { expression: compile(pattern, ignoreCase ? "i" : "") };
  const context = createContext(sandbox);
  return {
    find(text, limit) {
      Object.assign(sandbox, { text, limit });
      const lines = text.split(/\r?\n/);
      return run()
        .split(",")
        .filter((number) => number !== "")
        .map((number) => ({ line: Number(number) + 1, text: lines[Number(number)] ?? "" }));
    },
  };

  function run(): string {
    try {
      return String(SEARCH.runInContext(context, { timeout: TIMEOUT_MS }));
    } catch (error) {
      if (!isRecord(error) || error["code"] !== "ERR_SCRIPT_EXECUTION_TIMEOUT") throw error;
      const message = `The pattern ${pattern} takes too long on these files; write it without nested repetitions.`;
      throw new Error(message, { cause: error });
    }
  }
}

function compile(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags);
  } catch (error) {
    throw new Error(`The pattern cannot be used: ${messageOf(error)}`, { cause: error });
  }
}
