import { array, assert, property, string } from "fast-check";
import { expect, test } from "vitest";

import { createRedactor, SECRET_MASK } from "../src/index.ts";

test("no secret survives the redactor, whatever characters it is made of", () => {
  assert(
    property(array(string({ minLength: 8, unit: "grapheme" })), string(), (secrets, text) => {
      const redact = createRedactor(secrets);
      const left = redact(secrets.reduce((sum, secret) => `${sum}${text}${secret}`, text)).split(SECRET_MASK);
      expect(left.every((part) => secrets.every((secret) => !part.includes(secret)))).toBe(true);
    }),
  );
});
