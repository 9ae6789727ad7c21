import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { waitAtGate } from "../src/startup-gate.ts";
import { createManualClock } from "./support/manual-clock.ts";

const holdStarts = () => () => {};

test(verifies("L30", "the gate falls when the time is up"), async () => {
  const clock = createManualClock();
  let fell = false;
  const gate = waitAtGate([new Promise(() => {})], 250, { clock, holdStarts }).then((timeWasUp) => {
    fell = true;
    return timeWasUp;
  });
  await clock.advance(249);
  expect(fell).toBe(false);
  await clock.advance(1);
  expect(await gate).toBe(true);
});

test(verifies("L30", "the gate opens before its time when everything has settled, well or not"), async () => {
  const clock = createManualClock();
  const timeWasUp = await waitAtGate([Promise.resolve(), Promise.reject(new Error("no"))], 250, { clock, holdStarts });
  expect(timeWasUp).toBe(false);
});

test(verifies("L35", "0 waits for nothing and Infinity for everything"), async () => {
  const clock = createManualClock();
  expect(await waitAtGate([new Promise(() => {})], 0, { clock, holdStarts })).toBe(true);
  let resolve = (): void => {};
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  // Timers take no such time: Node would fire at once.
  const schedule = (): never => expect.fail("a timer was set");
  let isOpen = false;
  const gate = waitAtGate([promise], Number.POSITIVE_INFINITY, { clock: { ...clock, schedule }, holdStarts }).finally(
    () => (isOpen = true),
  );
  await clock.advance(1_000_000);
  expect(isOpen).toBe(false);
  resolve();
  expect(await gate).toBe(false);
});

test("no process is started just before the gate falls, and starts go on afterwards", async () => {
  const clock = createManualClock();
  const seen: string[] = [];
  const gate = waitAtGate([new Promise(() => {})], 250, {
    clock,
    holdStarts: () => {
      seen.push("held");
      return () => seen.push("released");
    },
  });
  await clock.advance(209);
  expect(seen).toEqual([]);
  await clock.advance(1);
  expect(seen).toEqual(["held"]);
  await clock.advance(40);
  await gate;
  expect(seen).toEqual(["held", "released"]);
});
