import type { RegionContent } from "./bottom-region.ts";
import type { LineEditor } from "./line-editor.ts";

/** What stands in front of an input: before its first line, and before the others. */
export interface InputMarks {
  first: string;
  others: string;
}

/** The lines of an input, each behind its mark. */
export function inputLines(text: string, { first, others }: InputMarks): string[] {
  return text.split("\n").map((line, index) => `${index === 0 ? first : others}${line}`);
}

/** An input that is being typed, with the cursor in it, and the lines above it. */
export function typedContent(editor: LineEditor, marks: InputMarks, above: readonly string[] = []): RegionContent {
  const before = inputLines(editor.textBefore, marks);
  return {
    lines: [...above, ...inputLines(editor.text, marks)],
    cursor: { line: above.length + before.length - 1, before: before.at(-1) ?? "" },
  };
}
