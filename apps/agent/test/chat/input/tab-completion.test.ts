import type { CompleterResult, Key } from "node:readline";

import { expect, test } from "vitest";

import { renderCandidates, TabCompletion } from "../../../src/chat/input/tab-completion.ts";

/** A completion that is there when the test says so, and what it does. */
function openCompletion() {
  const done: unknown[] = [];
  let find: (found: CompleterResult) => void = () => {};
  const completion = new TabCompletion({
    completer: () =>
      new Promise((resolve) => {
        find = resolve;
      }),
    apply: (found) => void done.push(found),
    press: (characters) => void done.push(characters),
  });
  const key = (name: string): Key => ({ name });
  return { completion, done, find: (found: CompleterResult) => find(found), key };
}

test("keys that are pressed while a completion is looked for come after it", async () => {
  const { completion, done, find, key } = openCompletion();
  expect(completion.delay("x", key("x"))).toBe(false);
  completion.start("/mc");
  expect(completion.delay("a", key("a"))).toBe(true);
  expect(completion.delay("b", key("b"))).toBe(true);
  find([["/mcp "], "/mc"]);
  await expect.poll(() => done).toEqual([{ replaced: 3, by: "/mcp " }, "a", "b"]);
  expect(completion.delay("c", key("c"))).toBe(false);
});

test("a completion that was cancelled does nothing, and the keys do not wait for it", async () => {
  const { completion, done, find, key } = openCompletion();
  completion.start("/mc");
  completion.delay("a", key("a"));
  completion.cancel();
  expect(done).toEqual(["a"]);
  find([["/mcp "], "/mc"]);
  completion.start("/m");
  find([["/mcp ", "/model "], "/m"]);
  await expect.poll(() => done).toEqual(["a", { candidates: ["/mcp ", "/model "] }]);
});

test("candidates stand side by side as long as there is room", () => {
  expect(renderCandidates(["/mcp ", "/model ", "/help "], 20)).toBe("/mcp     /model\n/help");
  expect(renderCandidates(["/mcp ", "/model "], 5)).toBe("/mcp\n/model");
});
