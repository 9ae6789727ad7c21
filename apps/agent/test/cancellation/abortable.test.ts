import { expect, test } from "vitest";

import { abortable } from "../../src/cancellation/abortable.ts";

const never = new Promise<never>(() => {});

test("what is waited for comes through, a failure as well", async () => {
  const { signal } = new AbortController();
  expect(await abortable(Promise.resolve(1), signal)).toBe(1);
  await expect(abortable(Promise.reject(new Error("no")), signal)).rejects.toThrow("no");
});

test("the reason of a signal ends the wait, also of one that has aborted before", async () => {
  const controller = new AbortController();
  const waiting = abortable(never, controller.signal);
  const reason = new Error("enough");
  controller.abort(reason);
  await expect(waiting).rejects.toBe(reason);
  await expect(abortable(never, controller.signal)).rejects.toBe(reason);
});
