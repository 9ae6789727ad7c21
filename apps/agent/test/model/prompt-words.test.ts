import { expect, test } from "vitest";

import { fillArguments } from "../../src/model/fill-arguments.ts";
import { readPromptWords } from "../../src/model/prompt-words.ts";

test("a prompt is taken apart into what can be an argument", () => {
  expect(
    readPromptWords(
      `Read ./docs/a.md, then it's b.txt and "two words" with 'one' limit=5 name="x y" -3.5 https://a.example/x?y=1, [1, 2] now 7.`,
    ),
  ).toEqual({
    pairs: [
      { key: "limit", value: "5" },
      { key: "name", value: "x y" },
    ],
    quoted: ["two words", "one"],
    numbers: [-3.5, 7],
    paths: ["./docs/a.md", "b.txt"],
    urls: ["https://a.example/x?y=1"],
    json: [[1, 2]],
    plain: ["Read", "then", "it's", "and", "with", "now"],
  });
});

const parameters = {
  type: "object" as const,
  properties: {
    path: { type: "string" },
    content: { type: "string" },
    mode: { type: "string", enum: ["append", "replace"] },
    times: { type: "integer" },
    optional: { type: "number" },
  },
  required: ["content", "path", "mode", "times"],
};

test("required parameters get what has their type, optional ones only what is named", () => {
  const words = readPromptWords(`append "hello" to notes.txt 2 times 9`);
  expect(fillArguments(parameters, { words })).toEqual({
    values: { mode: "append", times: 2, path: "notes.txt", content: "hello" },
    missing: [],
  });
  expect(fillArguments(parameters, { words: readPromptWords("optional=4 content=a") })).toEqual({
    values: { optional: 4, content: "a" },
    missing: ["path", "mode", "times"],
  });
});

test("a pair of the wrong type is a problem, and one of no parameter is left alone", () => {
  const words = readPromptWords("times=often");
  expect(fillArguments(parameters, { words }).problem).toBe('times must be a whole number; "often" is not.');
  expect(fillArguments(parameters, { words: readPromptWords("__proto__=1 color=red") }).values).toEqual({});
});

test("what is left of a prompt is the only text that is missing, and nothing else", () => {
  const one = { type: "object" as const, properties: { text: { type: "string" } }, required: ["text"] };
  expect(fillArguments(one, { words: readPromptWords("hello world"), remainder: "hello world" })).toEqual({
    values: { text: "hello world" },
    missing: [],
  });
  const two = { ...one, properties: { ...one.properties, path: { type: "string" } }, required: ["path", "text"] };
  expect(fillArguments(two, { words: readPromptWords("a.txt"), remainder: "a.txt" })).toEqual({
    values: { path: "a.txt" },
    missing: ["text"],
  });
});

test("lists are JSON, or all paths and texts in quotes", () => {
  const schema = (name: string) => ({
    type: "object" as const,
    properties: { [name]: { type: "array", items: { type: "string" } } },
    required: [name],
  });
  expect(fillArguments(schema("paths"), { words: readPromptWords("read a.txt and b/c") }).values).toEqual({
    paths: ["a.txt", "b/c"],
  });
  expect(fillArguments(schema("names"), { words: readPromptWords(`find ["x"]`) }).values).toEqual({ names: ["x"] });
  expect(fillArguments(schema("names"), { words: readPromptWords(`find 'x' "y"`) }).values).toEqual({
    names: ["x", "y"],
  });
});
