import { expect, test } from "vitest";

import { findTemplatePosition } from "../../../src/chat/completion/complete-template.ts";

const template = "notes://{topic}/pages/{page}.md";

test.each([
  ["", "notes://"],
  ["not", "notes://"],
  ["notes://ada/p", "notes://ada/pages/"],
])("%j is completed up to the next variable", (typed, uri) => {
  expect(findTemplatePosition(template, typed)).toEqual({ kind: "literal", uri });
});

test.each([
  ["notes://", { name: "topic", value: "", known: {}, isLast: false }, "notes://a%2Fb/pages/"],
  ["notes://a%20d", { name: "topic", value: "a d", known: {}, isLast: false }, "notes://a%2Fb/pages/"],
  [
    "notes://ada/pages/1",
    { name: "page", value: "1", known: { topic: "ada" }, isLast: true },
    "notes://ada/pages/a%2Fb.md",
  ],
])("%j is within a variable", (typed, expected, filled) => {
  const position = findTemplatePosition(template, typed);
  expect(position).toMatchObject({ kind: "variable", ...expected });
  expect(position?.kind === "variable" && position.fill("a/b")).toBe(filled);
});

test("a reserved expansion keeps slashes, at the end of the template it takes all that is typed", () => {
  const position = findTemplatePosition("file:///{+path}", "file:///src/in");
  expect(position).toMatchObject({ kind: "variable", name: "path", value: "src/in", isLast: true });
  expect(position?.kind === "variable" && position.fill("src/a b")).toBe("file:///src/a%20b");
});

test.each(["other://", "notes://ada/pages/1.md/more", "notes://ada/chapters/"])("%j is not the template's", (typed) => {
  expect(findTemplatePosition(template, typed)).toBeUndefined();
});

test("expressions of several variables are left to the person", () => {
  expect(findTemplatePosition("x://a{?from,to}", "x://a?from=1")).toBeUndefined();
});
