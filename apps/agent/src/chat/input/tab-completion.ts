import type { CompleterResult, Key } from "node:readline";

import { padEnd, textWidth } from "../../terminal/text-width.ts";

/** Says what a line may go on with, and which part of its end that replaces. */
export type LineCompleter = (line: string) => CompleterResult | Promise<CompleterResult>;

/** What Tab does: write in place of the last word, or show what there is. */
type Completion = { replaced: number; by: string } | { candidates: string[] };

type KeyPress = [characters: string | undefined, key: Key];

/** What a {@link TabCompletion} works with. */
export interface TabCompletionOptions {
  completer: LineCompleter;
  /** Does what was found. */
  apply: (completion: Completion) => void;
  /** Takes the keys that were pressed while it was looked for. */
  press: (...keyPress: KeyPress) => void;
}

/** Looks for what a line may go on with; keys that are pressed meanwhile wait, so that none gets before it. */
export class TabCompletion {
  readonly #options: TabCompletionOptions;
  #waiting: KeyPress[] | undefined;

  constructor(options: TabCompletionOptions) {
    this.#options = options;
  }

  /** Keeps a key until the completion is there; false when none is looked for. */
  delay(...keyPress: KeyPress): boolean {
    this.#waiting?.push(keyPress);
    return this.#waiting !== undefined;
  }

  /** @param line - What stands to the left of the cursor. */
  start(line: string): void {
    const waiting: KeyPress[] = [];
    this.#waiting = waiting;
    void this.#find(line, () => this.#waiting === waiting).finally(() => {
      if (this.#waiting === waiting) this.cancel();
    });
  }

  /** What may still be found does not count any more; the keys do. */
  cancel(): void {
    const waiting = this.#waiting ?? [];
    this.#waiting = undefined;
    for (const keyPress of waiting) this.#options.press(...keyPress);
  }

  async #find(line: string, isWanted: () => boolean): Promise<void> {
    try {
      const completion = completeWord(await this.#options.completer(line));
      if (completion !== undefined && isWanted()) this.#options.apply(completion);
    } catch {
      // What cannot be completed stays as it was typed.
    }
  }
}

/** What all candidates agree on is written; where that is no more than there is, they are shown. */
function completeWord([candidates, word]: CompleterResult): Completion | undefined {
  const [first, ...others] = candidates;
  if (first === undefined) return undefined;
  const common = others.reduce(commonPrefix, first);
  return word.startsWith(common) ? { candidates } : { replaced: word.length, by: common };
}

/** Candidates side by side, as many as the columns have room for. */
export function renderCandidates(candidates: readonly string[], columns: number): string {
  const width = Math.max(...candidates.map(textWidth)) + 2;
  const perRow = Math.max(1, Math.floor(columns / width));
  const rows: string[] = [];
  for (let start = 0; start < candidates.length; start += perRow) {
    const cells = candidates.slice(start, start + perRow).map((candidate) => padEnd(candidate, width));
    rows.push(cells.join("").trimEnd());
  }
  return rows.join("\n");
}

function commonPrefix(one: string, other: string): string {
  let length = 0;
  while (length < one.length && one[length] === other[length]) length += 1;
  return one.slice(0, length);
}
