import { expect, test } from "vitest";

import { findMentions } from "../../../src/chat/mentions/find-mentions.ts";

const servers = ["docs", "docs:old", "My Notes", "@acme/docs", "file"];

/** Server and readings as one text each. */
const mentionsIn = (text: string): string[] =>
  findMentions(text, servers).map(({ server, readings }) => [server ?? "path", ...readings].join(" | "));

test.each([
  ["@docs:file:///a.md", ["docs | file:///a.md"]],
  ["see @docs:file:///a.md.", ["docs | file:///a.md. | file:///a.md"]],
  ["compare @docs:x://a, @docs:x://b; go", ["docs | x://a, | x://a", "docs | x://b; | x://b"]],
  ["what about @docs:x://a?!", ["docs | x://a?! | x://a? | x://a"]],
  ["(see @docs:x://a).", ["docs | x://a). | x://a) | x://a"]],
  ["(@docs:x://a_(b))", ["docs | x://a_(b)) | x://a_(b)"]],
  [
    "[@docs:x://a] {@docs:x://b} <@docs:x://c>",
    ["docs | x://a] | x://a", "docs | x://b} | x://b", "docs | x://c> | x://c"],
  ],
  ["@docs:x://a's end", ["docs | x://a's | x://a"]],
  ['say "@docs:x://a." now', ["docs | x://a. | x://a"]],
  ["run `@docs:x://a b` now", ["docs | x://a b | x://a"]],
  ['@"docs:x://a b." and', ["docs | x://a b."]],
  ["“@docs:x://a”", ["docs | x://a"]],
  ["@docs:old:x://a", ["docs:old | x://a"]],
  ["@My Notes:x://a b", ["My Notes | x://a"]],
  ["@@acme/docs:x://a", ["@acme/docs | x://a"]],
  ["@docs:x://a and @src/index.ts", ["docs | x://a", "path | src/index.ts"]],
  ["@'my file.md'", ["path | my file.md"]],
  ["line one\n@docs:x://a\nline three", ["docs | x://a"]],
  // No mentions, whatever they look like.
  ["mail ada@docs:x.org", []],
  ["@docs: hello", []],
  ["@docs:.", []],
  ["a lone @ and an @.", []],
  // A plain URI, although there is a server called "file".
  ["@file:///etc/hosts", []],
])("%j", (text, expected) => {
  expect(mentionsIn(text)).toEqual(expected);
});

test("a server that nobody knows makes a path of it, which has to exist to be one", () => {
  expect(findMentions("@nobody:x://a and @Component", servers)).toEqual([
    { readings: ["nobody:x://a"] },
    { readings: ["Component"] },
  ]);
});

test.each(["@docs:x".padEnd(200_000, "."), ",@docs:x".repeat(25_000), `@"docs:x`.repeat(25_000)])(
  "a long text that looks like mentions does not keep anybody waiting",
  (text) => {
    expect(findMentions(text, servers).length).toBeLessThanOrEqual(25_000);
  },
);
