import { getEventListeners } from "node:events";

import { expect, test } from "vitest";

import { abortable } from "../../src/chat/abortable.ts";

test("many waits under one signal leave no listener behind", async () => {
  const { signal } = new AbortController();

  for (const answer of ["one", "two"]) {
    expect(await abortable(Promise.resolve(answer), signal)).toBe(answer);
  }
  await expect(abortable(Promise.reject(new Error("broken")), signal)).rejects.toThrow("broken");

  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("a wait ends with its signal, also with one that has aborted already", async () => {
  const controller = new AbortController();
  const work = new Promise<never>(() => {});
  const early = abortable(work, controller.signal);

  controller.abort(new Error("enough"));

  await expect(early).rejects.toThrow("enough");
  await expect(abortable(work, controller.signal)).rejects.toThrow("enough");
});
