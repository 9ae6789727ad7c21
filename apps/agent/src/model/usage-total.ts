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

  /** One line for people: `1,234 tokens in (900 cached), 56 out · 0.0123 USD`, the cost where the settings have prices. */
  describe(): string | undefined {
    if (this.#input === 0 && this.#output === 0) return undefined;
    const cached = this.#cached === 0 ? "" : ` (${formatTokens(this.#cached)} cached)`;
    const costs = [...this.#costs].map(([currency, amount]) => `${amount.toFixed(4)} ${currency}`);
    const tokens = `${formatTokens(this.#input)} tokens in${cached}, ${formatTokens(this.#output)} out`;
    return [tokens, ...(costs.length === 0 ? [] : [costs.join(" + ")])].join(" · ");
  }
}

function formatTokens(count: number): string {
  return count.toLocaleString("en");
}
