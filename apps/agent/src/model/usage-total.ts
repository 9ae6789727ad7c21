import type { ModelUsage } from "../session/agent-model.ts";

/** Adds up what the answers to one prompt took. */
export class UsageTotal {
  #input = 0;
  #cached = 0;
  #output = 0;
  readonly #costs = new Map<string, number>();

  add({ inputTokens = 0, cachedInputTokens = 0, outputTokens = 0, cost }: ModelUsage): void {
    this.#input += inputTokens;
    this.#cached += cachedInputTokens;
    this.#output += outputTokens;
    if (cost !== undefined) this.#costs.set(cost.currency, (this.#costs.get(cost.currency) ?? 0) + cost.amount);
  }

  /** One line for people; undefined where the settings have no prices for the model. */
  describeCost(): string | undefined {
    if (this.#costs.size === 0) return undefined;
    const cached = this.#cached === 0 ? "" : ` (${this.#cached} cached)`;
    const costs = [...this.#costs].map(([currency, amount]) => `${amount.toFixed(4)} ${currency}`).join(" + ");
    return `${this.#input} tokens in${cached}, ${this.#output} out · ${costs}`;
  }
}
