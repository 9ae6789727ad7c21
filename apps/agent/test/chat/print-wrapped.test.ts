import { expect, test } from "vitest";

import { printWrapped } from "../../src/chat/print-wrapped.ts";
import { createScriptedTerminal } from "../support/scripted-terminal.ts";

function print(text: string, options: { columns?: number; isInteractive?: boolean } = {}): string[] {
  const terminal = createScriptedTerminal({ columns: 30, ...options });
  printWrapped(terminal, text);
  return terminal.text.split("\n").slice(0, -1);
}

test("running text is broken between words, and keeps its indent", () => {
  expect(print("  one two three four five six seven eight")).toEqual([
    "  one two three four five six",
    "  seven eight",
  ]);
});

test("what does not fit into the last column goes on below it", () => {
  expect(print("/exit    end the servers and leave the chat\n/x       short")).toEqual([
    "/exit    end the servers and",
    "         leave the chat",
    "/x       short",
  ]);
});

test("a column without room goes on below the beginning of its line", () => {
  expect(print("a very long first column  and a second one")).toEqual([
    "a very long first column  and",
    "a second one",
  ]);
});

test("the styles of a line take no room", () => {
  expect(print("\u001B[2mtwenty characters ok\u001B[22m  and 8")).toEqual([
    "\u001B[2mtwenty characters ok\u001B[22m  and 8",
  ]);
});

test("an address stays whole, so that it can be opened and copied", () => {
  const address = `https://example.com/${"a".repeat(40)}`;
  expect(print(`  ${address}`)).toEqual([`  ${address}`]);
  expect(print(`Open it: ${address}`)).toEqual(["Open it:", address]);
});

test("a pipe gets everything as it is", () => {
  const text = "one two three four five six seven eight";
  expect(print(text, { isInteractive: false })).toEqual([text]);
});
