import { expect, test } from "vitest";

import { UsageTotal } from "../../src/model/usage-total.ts";

function describe(...usages: Parameters<UsageTotal["add"]>[0][]): string | undefined {
  const total = new UsageTotal();
  for (const usage of usages) total.add(usage);
  return total.describe();
}

test("tokens of all answers are one line, with what was cached", () => {
  const usage = { inputTokens: 1200, cachedInputTokens: 900, outputTokens: 50 };
  expect(describe(usage, { inputTokens: 34, outputTokens: 6 })).toBe("1,234 tokens in (900 cached), 56 out");
});

test("costs are added by currency", () => {
  const cost = (amount: number, currency: string) => ({ inputTokens: 1, outputTokens: 1, cost: { amount, currency } });
  expect(describe(cost(0.01, "USD"), cost(0.02, "USD"), cost(1, "EUR"))).toBe(
    "3 tokens in, 3 out · 0.0300 USD + 1.0000 EUR",
  );
});

test("where nobody counts there is nothing to say", () => {
  expect(describe({})).toBeUndefined();
});
