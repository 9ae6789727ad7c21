import fc from "fast-check";
import { expect, test } from "vitest";

import { renderMarkdown } from "../../src/terminal/render-markdown.ts";
import { createStyle, plainStyle } from "../../src/terminal/style.ts";
import { textWidth } from "../../src/terminal/text-width.ts";

const colored = createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true });

function plain(text: string, width = 40): string[] {
  return renderMarkdown(text, { style: plainStyle, width }).split("\n");
}

test("headings, paragraphs and rules stand apart, and long lines are wrapped", () => {
  expect(plain("# Title\nSome text\non two lines.\n\n---\nHard  \nbreak<br>here", 12)).toEqual([
    "# Title",
    "",
    "Some text on",
    "two lines.",
    "",
    "────────────",
    "",
    "Hard",
    "break",
    "here",
  ]);
});

test("without colour everything is told apart by signs", () => {
  expect(plain("*a* **b** `c d` ~~e~~ &amp; \\* <b>f</b> <name>")).toEqual(["a b `c d` ~~e~~ & * <b>f</b> <name>"]);
});

test("with colour styles take the place of signs, also nested ones and across lines", () => {
  const text = renderMarkdown("**bold *both* bold** `code` ~~gone~~", { style: colored, width: 8 });
  expect(text.split("\n")).toEqual([
    "\u001b[1mbold\u001b[22m",
    "\u001b[1m\u001b[3mboth\u001b[23m\u001b[22m",
    "\u001b[1mbold\u001b[22m",
    "\u001b[36mcode\u001b[39m",
    "\u001b[9mgone\u001b[29m",
  ]);
});

test("code is indented below its language and never wrapped", () => {
  expect(plain("```ts title\nconst a = 1;\n\n\tif (a) return;\n\n```", 10)).toEqual([
    "  ts",
    "    const a = 1;",
    "",
    "        if (a) return;",
  ]);
  expect(plain("    *indented*\n    code")).toEqual(["    *indented*", "    code"]);
});

test("lists are nested, numbered from their start, and keep their boxes", () => {
  const text = "9. nine\n10. ten goes on here\n    - [x] done\n    - [ ] open\n\n\n* a\n\n  more\n* b";
  expect(plain(text, 20)).toEqual([
    " 9. nine",
    "10. ten goes on here",
    "    • [x] done",
    "    • [ ] open",
    "",
    "• a",
    "",
    "  more",
    "",
    "• b",
  ]);
});

test("quotes are marked on each of their lines", () => {
  expect(plain("> one two\n> three\n>\n> > four", 10)).toEqual(["│ one two", "│ three", "│", "│ │ four"]);
});

test("a link shows its address when that is not its text", () => {
  expect(plain("[docs](https://a.b/c) https://a.b <me@a.b> ![logo](l.png) ![](x.png) [r][1]", 200)).toEqual([
    "docs (https://a.b/c) https://a.b me@a.b [image: logo] (l.png) [image] (x.png) [r][1]",
  ]);
  expect(plain("[1]: https://a.b")).toEqual(["[1]: https://a.b"]);
});

test("the columns of a table line up by what is seen", () => {
  expect(plain("| name | n |\n|:--|--:|\n| 日本 | 1 |\n| `x` | 100 |")).toEqual([
    "name    n",
    "────  ───",
    "日本    1",
    "`x`   100",
  ]);
});

test("a table that is too wide is shrunk, its widest columns first", () => {
  const text = "| a | text |\n|---|---|\n| b | one two three four five |";
  const lines = plain(text, 16);
  expect(lines).toEqual(["a  text", "─  ─────────────", "b  one two three", "   four five"]);
});

test("a table of more columns than the width allows becomes a list of its rows", () => {
  expect(plain("| first | second | third |\n|-|-|-|\n| 1 | 2 | 3 |\n| 4 | 5 | 6 |", 15)).toEqual([
    "first: 1",
    "second: 2",
    "third: 3",
    "",
    "first: 4",
    "second: 5",
    "third: 6",
  ]);
});

test("no escape sequence gets through, not as a reference either", () => {
  const text = "a\u001b[31mb &#27;[2J &#x9b;31m\n\n```\u001b]0;x\u0007js\n\u001b[1mcode\n```\n[l](\u001b[1mx&#27;y)";
  // oxlint-disable-next-line no-control-regex -- these characters are what this is about
  expect(plain(text).join("\n")).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
  expect(plain("&#0; &#1114112; &nonsense; &lt;b&gt;")).toEqual(["\ufffd \ufffd &nonsense; <b>"]);
});

test("lines of prose keep within the width, whatever the text", () => {
  const pieces = fc.constantFrom(
    "word",
    "日本語日本語",
    "**",
    "`",
    "- ",
    "> ",
    "\n",
    "\n\n",
    "averyverylongword",
    "| ",
    "1. ",
    " ",
  );
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), (items) => {
      const text = items.join("").replaceAll(/^.*( {4}|\t).*$/gm, "");
      const depth = Math.max(0, ...text.split("\n").map((line) => line.match(/>|-|1\./g)?.length ?? 0));
      for (const line of plain(text, 30)) expect(textWidth(line)).toBeLessThanOrEqual(Math.max(30, 10 + 4 * depth + 4));
    }),
  );
});

test("quotes within quotes without end are shown as they are", () => {
  const text = `${">".repeat(20_000)} deep`;
  expect(plain(text).join("").replaceAll(/\s/g, "")).toContain("deep");
});
