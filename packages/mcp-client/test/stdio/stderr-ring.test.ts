import { createRedactor } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { lastLines, StderrRing } from "../../src/stdio/stderr-ring.ts";

const secret = "correct-horse-battery";

test("the end of the output is kept, in bounded memory", () => {
  const ring = new StderrRing((text) => text, 0, 100);
  for (let line = 0; line < 1000; line += 1) ring.push(Buffer.from(`line ${line}\n`));
  expect(ring.text()).toHaveLength(100);
  expect(ring.text()).toMatch(/line 998\nline 999\n$/);
});

test("a secret at any place of the cut is not seen, not even a part of it", () => {
  for (let offset = 0; offset < 60; offset += 1) {
    const ring = new StderrRing(createRedactor([secret]), secret.length, 100);
    ring.push(Buffer.from(`${secret}${".".repeat(offset)}${secret}${"x".repeat(120)}`));
    expect(ring.text()).not.toMatch(/horse|battery|correct|tery|ry\./);
  }
});

test("a secret over two chunks is redacted, and control sequences are gone", () => {
  const ring = new StderrRing(createRedactor([secret]), secret.length);
  ring.push(Buffer.from(`\u001B[31mkey ${secret.slice(0, 5)}`));
  ring.push(Buffer.from(`${secret.slice(5)}\u001B[0m größe`));
  expect(ring.text()).toBe("key *** größe");
});

test("lastLines gives the last lines", () => {
  expect(lastLines("a\nb\r\nc\n\n", 2)).toBe("b\nc");
  expect(lastLines("abcdef", 2, 3)).toBe("def");
});
