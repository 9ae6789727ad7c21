import type { ContentBlock, ToolResult } from "@toolgate/contracts";
import { expect, test } from "vitest";

import type { CallLayout } from "../../../src/chat/turn/render-call.ts";
import { renderCallStart, renderEndedCall } from "../../../src/chat/turn/render-call.ts";
import { plainStyle } from "../../../src/terminal/style.ts";
import { textWidth } from "../../../src/terminal/text-width.ts";

interface CallParts {
  name?: string;
  args?: Record<string, unknown>;
  text?: string;
  content?: ContentBlock[];
  structuredContent?: unknown;
  isError?: boolean;
  server?: string;
}

function render({ name = "mcp_docs_search", args = {}, text, content, server, ...rest }: CallParts, width = 60) {
  const result: ToolResult = {
    content: content ?? (text === undefined ? [] : [{ type: "text", text }]),
    isError: rest.isError ?? false,
    details: { tool: name, durationMs: 1234, ...(server === undefined ? {} : { server }) },
    ...("structuredContent" in rest ? { structuredContent: rest.structuredContent } : {}),
  };
  const layout: CallLayout = { style: plainStyle, width };
  return renderEndedCall({ call: { id: "1", name, arguments: args }, result, durationMs: 1234 }, layout);
}

/** What is said of the result on the line of the call. */
function summaryOf(parts: CallParts): string | undefined {
  return /1\.2 s {2}(.*)$/.exec(render(parts).text.split("\n")[0] ?? "")?.[1];
}

test("the line of a call has its name, arguments, time and what came back, in the width", () => {
  const { text, whole } = render({ args: { query: "release notes", limit: 8 }, text: "one line", server: "docs" }, 63);
  expect(text).toBe('● mcp_docs_search query="release notes" limit=8   1.2 s  1 line\n  one line');
  expect(whole).toBeUndefined();
});

test("arguments are shortened to the width, each and all", () => {
  const args = { path: "a b".repeat(40), nested: { list: [1, 2] }, flag: true, text: "日本".repeat(20) };
  const [line = ""] = render({ args, text: "x" }, 70).text.split("\n");
  expect(line).toMatch(/^● mcp_docs_search path="a ba b.*… {2}1\.2 s {2}1 line$/);
  expect(textWidth(line)).toBe(70);
  const call = { id: "1", name: "t", arguments: { nested: { list: [1, 2] }, flag: true, empty: "", line: "a\nb" } };
  expect(renderCallStart(call, { style: plainStyle, width: 80 })).toBe(
    '● t nested={"list":[1,2]} flag=true empty="" line="a\\nb"',
  );
});

test("what came back is said in a few words", () => {
  expect(summaryOf({ text: "a\nb\n" })).toBe("2 lines");
  expect(summaryOf({})).toBe("no output");
  expect(summaryOf({ text: "{}", structuredContent: { results: [1, 2, 3], query: "x" } })).toBe("3 results");
  expect(summaryOf({ text: '[{"a":1}]' })).toBe("1 item");
  expect(summaryOf({ text: '{"entities":[1]}' })).toBe("1 entity");
  expect(summaryOf({ text: '{"matches":[1]}' })).toBe("1 match");
  const image: ContentBlock = { type: "image", mimeType: "image/png", data: Buffer.alloc(12_000).toString("base64") };
  expect(summaryOf({ content: [image] })).toBe("image png 12 kB");
  expect(summaryOf({ content: [{ type: "text", text: "two\nlines" }, image] })).toBe("2 lines, image png 12 kB");
  const link = { type: "resource_link" as const, uri: "demo://1", name: "One" };
  expect(summaryOf({ content: [link, link, image, link] })).toBe("image png 12 kB, 3 links");
  expect(summaryOf({ name: "bash", text: "out" })).toBe("exit status 0");
  expect(summaryOf({ name: "bash", text: "out\n(exit status 3)", isError: true })).toBe("exit status 3");
  expect(summaryOf({ name: "bash", text: "(ended by SIGKILL)", isError: true })).toBe("ended by SIGKILL");
  expect(summaryOf({ name: "bash", text: "a server's", server: "s" })).toBe("1 line");
});

test("a long output is folded, and kept whole", () => {
  const lines = Array.from({ length: 42 }, (_, index) => `line ${index + 1}`).join("\n");
  const { text, whole } = render({ args: { q: "x" }, text: lines });
  expect(text.split("\n").slice(1)).toEqual([
    "  line 1",
    "  line 2",
    "  line 3",
    "  line 4",
    "  line 5",
    "  … 37 more lines (/output)",
  ]);
  expect(whole).toBe(`mcp_docs_search q=x\n${lines}`);
});

test("a line that is cut is kept whole too", () => {
  const { text, whole } = render({ text: "long ".repeat(20) }, 40);
  expect(text.split("\n")[2]).toBe("  … (/output)");
  expect(whole).toContain("long ".repeat(20).trimEnd());
});

test("an error shows its text, wrapped", () => {
  expect(render({ text: "There is no such page, and here is why.", isError: true }, 30).text.split("\n")).toEqual([
    "✗ mcp_docs_sea…  1.2 s  failed",
    "  There is no such page, and",
    "  here is why.",
  ]);
});

test("edit and write show what changes in the file, without the lines that stay", () => {
  const edit = { path: "a.ts", old_text: "keep\nold\nend", new_text: "keep\nnew\nnewer\nend" };
  const { text } = render({ name: "edit", args: edit, text: "a.ts was changed in line 1." });
  expect(text.split("\n")).toEqual([
    expect.stringMatching(/^● edit path=a\.ts +1\.2 s {2}\+2 -1$/),
    "  - old",
    "  + new",
    "  + newer",
  ]);
  expect(summaryOf({ name: "edit", args: edit })).toBe("+2 -1");
  const write = { path: "b.ts", content: "1\n2\n3\n4\n5\n6\n7\n8\n" };
  const written = render({ name: "write", args: write, text: "b.ts was written: 16 bytes." });
  expect(written.text.split("\n").slice(-2)).toEqual(["  + 5", "  … 3 more lines (/output)"]);
  expect(written.whole).toContain("+ 8");
  expect(render({ name: "edit", args: edit, text: "old_text is not in a.ts", isError: true }).text).toContain(
    "is not in",
  );
  expect(render({ name: "write", args: write, text: "theirs", server: "s" }).text).toContain("  theirs");
});

test("data is named, and nothing of it or of an argument reaches the terminal", () => {
  const text = render({ args: { a: "\u001b[2J", "\u001b[31mk": "\u0007" }, text: "\u0000\u0001\u0002" }).text;
  expect(text).toContain("  [binary data, 3 B]");
  // oxlint-disable-next-line no-control-regex -- these characters are what this is about
  expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
});
