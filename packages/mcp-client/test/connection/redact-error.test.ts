import { inspect } from "node:util";

import { createRedactor } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { redactValue } from "../../src/connection/redact-error.ts";

const redact = createRedactor(["secret"]);

test("what holds no secret is handed on as it is", () => {
  const error = new Error("plain", { cause: { list: [1, "two"] } });
  for (const value of [error, { a: [{}] }, [1], "text", 7, null, undefined, new URL("http://a/b")]) {
    expect(redactValue(value, redact)).toBe(value);
  }
});

test("an error with a secret anywhere becomes a copy of its kind", () => {
  class SpecialError extends TypeError {
    override readonly name = "SpecialError";
    readonly url: URL = new URL("http://a/?key=secret");
    readonly notes = ["fine", { secret: "the secret" }];
  }
  const inner = new Error("inner secret");
  const error = new SpecialError("outer", { cause: new AggregateError([inner], "many") });
  const copy = redactValue(error, redact);
  expect(copy).toBeInstanceOf(SpecialError);
  expect(copy).toMatchObject({ message: "outer", notes: ["fine", { "***": "the ***" }] });
  expect((copy as Error).cause).toBeInstanceOf(AggregateError);
  expect((copy as Error).cause).toMatchObject({ message: "many", errors: [{ message: "inner ***" }] });
  expect(inspect(copy, { depth: Infinity, showHidden: true })).not.toContain("secret");
  expect(inner.message).toBe("inner secret");
});

test("circles and depths end", () => {
  const circle: Record<string, unknown> = { text: "secret" };
  circle["self"] = circle;
  const copy = redactValue(circle, redact) as Record<string, unknown>;
  expect(copy["self"]).toBe(copy);
  expect(copy["text"]).toBe("***");
  let deep: unknown = "secret";
  for (let level = 0; level < 100_000; level += 1) deep = [deep];
  expect(inspect(redactValue(deep, redact), { depth: 100 })).not.toContain("secret");
});
