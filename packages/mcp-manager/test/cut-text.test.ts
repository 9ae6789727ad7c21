import fc from "fast-check";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { countBytes, cutText } from "../src/cut-text.ts";

const FAMILY = "👩‍👩‍👧‍👦";

test(verifies("X07", "text is cut where a character ends, whatever it is made of"), () => {
  expect(cutText("abcdef", 3)).toBe("abc");
  expect(cutText("aé", 2)).toBe("a");
  expect(cutText("a😀", 4)).toBe("a");
  expect(cutText("a😀b", 5)).toBe("a😀");
  // A letter and its accent, a family, a flag.
  expect(cutText("ae\u0301b", 3)).toBe("a");
  expect(cutText(`a${FAMILY}b`, 8)).toBe("a");
  expect(cutText(`a${FAMILY}b`, 1 + countBytes(FAMILY))).toBe(`a${FAMILY}`);
  expect(cutText("a🇩🇪", 5)).toBe("a");
});

test("a heap of marks that is no character is cut all the same", () => {
  const heap = `a${"\u0301".repeat(5000)}`;
  const shown = cutText(heap, 1001);
  expect(countBytes(shown)).toBe(1001);
});

test(verifies("X07", "what is left of any text fits, is its beginning, and is well-formed"), () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.nat(40), (text, bytes) => {
      const shown = cutText(text, bytes);
      expect(countBytes(shown)).toBeLessThanOrEqual(bytes);
      expect(text.startsWith(shown)).toBe(true);
      expect(Buffer.from(shown, "utf8").toString("utf8")).toBe(shown);
      if (countBytes(text) <= bytes) expect(shown).toBe(text);
    }),
  );
});
