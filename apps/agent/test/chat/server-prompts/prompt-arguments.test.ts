import { expect, test } from "vitest";

import { parsePromptArguments } from "../../../src/chat/server-prompts/prompt-arguments.ts";

const name = { name: "name", required: true };
const style = { name: "style" };
const tone = { name: "tone", required: true };

test.each([
  ["", [], { values: {}, missing: [], text: "" }],
  ["and be brief", [], { values: {}, missing: [], text: "and be brief" }],
  ["name=Ada", [name], { values: { name: "Ada" }, missing: [], text: "" }],
  [
    `name="Ada Lovelace" style='very "formal"'`,
    [name, style],
    { values: { name: "Ada Lovelace", style: 'very "formal"' } },
  ],
  ["name=don't stop", [name], { values: { name: "don't" }, text: "stop" }],
  ["name=a=b", [name], { values: { name: "a=b" } }],
  ["name= rest", [name], { values: { name: "" }, text: "rest" }],
  // The only required argument may be free text.
  ["Ada Lovelace", [name, style], { values: { name: "Ada Lovelace" }, missing: [], text: "" }],
  ["style=x it's Ada", [name, style], { values: { style: "x", name: "it's Ada" }, missing: [], text: "" }],
  ["name=Ada and be brief", [name], { values: { name: "Ada" }, text: "and be brief" }],
  // With several nobody knows which one is meant.
  ["hello", [name, tone], { values: {}, missing: [name, tone], text: "hello" }],
  ["name=Ada hello", [name, tone], { values: { name: "Ada" }, missing: [tone], text: "hello" }],
  ["name=Ada see x=1", [name], { values: { name: "Ada" }, text: "see x=1" }],
])("%j for %j", (line, known, expected) => {
  expect(parsePromptArguments(line, known)).toMatchObject({ ok: true, ...expected });
});

test("a misspelt argument is told of, with the one that is meant", () => {
  expect(parsePromptArguments("nmae=Ada", [name])).toEqual({
    ok: false,
    problem: "There is no argument nmae. Did you mean name?",
  });
});
