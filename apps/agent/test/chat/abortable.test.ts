import { getEventListeners } from "node:events";

import { expect, test } from "vitest";

import { abortable } from "../../src/chat/abortable.ts";

test("what is over leaves nothing with the signal, which may live for long", async () => {
  const { signal } = new AbortController();
  await abortable(Promise.resolve(1), signal);
  await expect(abortable(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a signal that has aborted before is heard too", async () => {
  const never = new Promise<void>(() => {});
  await expect(abortable(never, AbortSignal.abort(new Error("over")))).rejects.toThrow("over");
});
