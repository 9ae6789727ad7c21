import { createRedactor } from "@toolgate/contracts";

/** Of the secrets that turn up while a connection lives, how many are remembered: those before opened something once. */
const MOST_LATER_SECRETS = 100;

/** The secrets of one server: those of its entry, and the tokens and codes that turn up later. */
export class KnownSecrets {
  readonly #configured: readonly string[];
  readonly #later = new Set<string>();
  #redactor: (text: string) => string;

  constructor(configured: readonly string[]) {
    this.#configured = configured;
    this.#redactor = createRedactor(configured);
  }

  /** Replaces every secret that is known by now. */
  redact(text: string): string {
    return this.#redactor(text);
  }

  add(values: readonly (string | undefined)[]): void {
    const news = values.filter((value) => value !== undefined && !this.#later.has(value));
    if (news.length === 0) return;
    for (const value of news) this.#later.add(value ?? "");
    const spare = Math.max(0, this.#later.size - MOST_LATER_SECRETS);
    for (const value of [...this.#later].slice(0, spare)) this.#later.delete(value);
    this.#redactor = createRedactor([...this.#configured, ...this.#later]);
  }
}
