import fc from "fast-check";
import { expect, test } from "vitest";

import { MarkdownStream } from "../../src/terminal/markdown-stream.ts";
import { renderMarkdown } from "../../src/terminal/render-markdown.ts";
import type { Style } from "../../src/terminal/style.ts";
import { createStyle, plainStyle } from "../../src/terminal/style.ts";

const colored = createStyle({ env: { FORCE_COLOR: "1" }, isTTY: true });

function createStream({ style = plainStyle, width = 40 }: { style?: Style; width?: number } = {}) {
  const printed: string[] = [];
  const stream = new MarkdownStream({ style, width: () => width, print: (lines) => printed.push(lines) });
  return { stream, printed };
}

const words = fc.constantFrom(
  "one",
  "*two*",
  "**three**",
  "`four`",
  "[five](https://a.b)",
  "&lt;",
  "日本",
  "a|b",
  "<b>",
);
const texts = fc.array(words, { minLength: 1, maxLength: 12 }).map((items) => items.join(" "));
const starts = fc.constantFrom(
  "",
  "",
  "",
  "",
  "# ",
  "- ",
  "  - ",
  "* ",
  "1. ",
  "2) ",
  "> ",
  "    ",
  "   ",
  "| ",
  "- [ ] ",
  "> - ",
  "<a ",
  "[r]: ",
);
const lines = fc.oneof(
  { weight: 6, arbitrary: fc.tuple(starts, texts).map(([start, text]) => start + text) },
  { weight: 4, arbitrary: fc.constant("") },
  {
    weight: 4,
    arbitrary: fc.constantFrom(
      "```",
      "```js",
      "````",
      "~~~",
      "  ```",
      "---",
      "===",
      "| a | b |",
      "|---|--:|",
      "| 1 | 2 |",
      "<div>",
      "</div>",
      "<!-- c",
      "-->",
      "<script>",
      "</script>",
      "- ```",
      "> ```",
      "-",
      "#",
      "\tx",
      "\u001b[31mred",
      "```a`",
    ),
  },
);
const markdown = fc
  .tuple(fc.array(lines, { maxLength: 25 }), fc.constantFrom("\n", "\r\n"), fc.boolean())
  .map(([items, lineEnd, isEnded]) => items.join(lineEnd) + (isEnded ? lineEnd : ""));
const cuts = fc.array(fc.nat({ max: 30 }), { maxLength: 80 });

test("a text in pieces looks like the text at once, wherever it is cut", () => {
  fc.assert(
    fc.property(markdown, cuts, fc.constantFrom(plainStyle, colored), (text, lengths, style) => {
      const { stream, printed } = createStream({ style });
      let rest = text;
      for (const length of lengths) {
        stream.write(rest.slice(0, length));
        rest = rest.slice(length);
      }
      stream.write(rest);
      stream.end();
      expect(printed.join("\n")).toBe(renderMarkdown(text, { style, width: 40 }));
    }),
    { numRuns: 1000 },
  );
});

test("a block is printed once it is certain that it has ended, and not before", () => {
  const { stream, printed } = createStream();
  stream.write("A paragraph\nof two lines.\n");
  expect(printed).toEqual([]);
  stream.write("\n");
  expect(printed).toEqual(["A paragraph of two lines."]);
  stream.write("- a\n\n- b\n\nPara");
  expect(printed).toHaveLength(1);
  stream.write("graph.\n# Head");
  expect(printed.slice(1)).toEqual(["\n• a\n\n• b"]);
  stream.write("ing\n");
  expect(printed.slice(2)).toEqual(["\nParagraph.", "\n# Heading"]);
  stream.write("text");
  stream.end();
  expect(printed.slice(4)).toEqual(["\ntext"]);
});

test("the lines of fenced code are printed as they come, empty ones only before others", () => {
  const { stream, printed } = createStream();
  stream.write("```js\nlet a;\nlet b");
  expect(printed).toEqual(["  js", "    let a;"]);
  stream.write(";\n\n\nlet c;\n\n");
  expect(printed.slice(2)).toEqual(["    let b;", "\n\n    let c;"]);
  stream.write("```\nText.\n\nMore.\n");
  expect(printed.slice(4)).toEqual(["\nText."]);
});

test("the last lines of what is not printed yet can be shown meanwhile", () => {
  const { stream } = createStream({ width: 10 });
  expect(stream.preview(2)).toEqual([]);
  stream.write("one two three four five\u001b[2J");
  expect(stream.preview(2)).toEqual(["three four", "five"]);
  stream.end();
  expect(stream.preview(2)).toEqual([]);
});

test("a text after the end begins anew, without an empty line", () => {
  const { stream, printed } = createStream();
  for (const text of ["```\nopen", "next"]) {
    stream.write(text);
    stream.end();
  }
  expect(printed).toEqual(["    open", "next"]);
});

test("a list without end and code in a list are taken in by the character", () => {
  const { stream, printed } = createStream();
  const text = "- item\n\n".repeat(3000) + "- ```\n  code\n\n".repeat(500);
  for (const character of text) stream.write(character);
  stream.end();
  expect(printed.join("\n")).toBe(renderMarkdown(text, { style: plainStyle, width: 40 }));
});
