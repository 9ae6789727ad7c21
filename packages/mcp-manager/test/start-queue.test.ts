import { expect, test } from "vitest";

import { MAX_BOOT_MS, StartQueue } from "../src/start-queue.ts";
import { createManualClock } from "./support/manual-clock.ts";

const never = new AbortController().signal;

test("no more servers boot at once than the limit, and one is let in per turn", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 2);
  const entered: number[] = [];
  const slots = [0, 1, 2, 3].map((index) =>
    queue
      .enter(() => ({ urgent: false }), never)
      .then((slot) => {
        entered.push(index);
        return slot;
      }),
  );
  await clock.runTurn();
  expect(entered).toEqual([0]);
  await clock.runTurn();
  await clock.runTurn();
  expect(entered).toEqual([0, 1]);

  (await slots[0])?.release();
  (await slots[0])?.release();
  await clock.runTurn();
  await clock.runTurn();
  expect(entered).toEqual([0, 1, 2]);
});

test("the last one joins a full house once others have had their places, and nobody joins before", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 2, { lastJoins: true });
  const entered: number[] = [];
  const enter = (index: number) =>
    queue
      .enter(() => ({ urgent: false }), never)
      .then((slot) => {
        entered.push(index);
        return slot;
      });
  const runTurns = async (): Promise<void> => {
    for (let turn = 0; turn < 4; turn += 1) await clock.runTurn();
  };
  const first = enter(0);
  void enter(1);
  void enter(2);
  await runTurns();
  // Alone in the queue, but more may follow: nothing has been given back yet.
  expect(entered).toEqual([0, 1]);
  void enter(3);
  await runTurns();
  expect(entered).toEqual([0, 1]);
  (await first).release();
  await runTurns();
  // One takes the place that was given back, and the last one does not wait for another.
  expect(entered).toEqual([0, 1, 2, 3]);
});

test("work of the host that the first start brings is done once, and nobody else is let in meanwhile", async () => {
  const clock = createManualClock();
  let calls = 0;
  let finish = (): void => {};
  const prepare = (): Promise<void> => {
    calls += 1;
    return new Promise((resolve) => {
      finish = resolve;
    });
  };
  const queue = new StartQueue(clock, 2, { prepare });
  const entered: number[] = [];
  for (const index of [0, 1]) void queue.enter(() => ({ urgent: false }), never).then(() => entered.push(index));
  for (let turn = 0; turn < 4; turn += 1) await clock.runTurn();
  expect({ entered, calls }).toEqual({ entered: [0], calls: 1 });
  finish();
  for (let turn = 0; turn < 4; turn += 1) await clock.runTurn();
  expect({ entered, calls }).toEqual({ entered: [0, 1], calls: 1 });
});

test("work of the host that fails keeps nobody out", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 2, { prepare: () => Promise.reject(new Error("not installed")) });
  const entered: number[] = [];
  for (const index of [0, 1]) void queue.enter(() => ({ urgent: false }), never).then(() => entered.push(index));
  for (let turn = 0; turn < 4; turn += 1) await clock.runTurn();
  expect(entered).toEqual([0, 1]);
});

test("those that somebody waits for go first, in their own order", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 10);
  const entered: string[] = [];
  for (const [name, urgent] of [
    ["cached", false],
    ["a", true],
    ["b", true],
  ] as const) {
    void queue.enter(() => ({ urgent }), never).then(() => entered.push(name));
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.runTurn();
  expect(entered).toEqual(["a", "b", "cached"]);
});

test("of those that nobody waits for, the quickest that is known goes first", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 10);
  const entered: string[] = [];
  const known = new Map([
    ["unknown", undefined],
    ["slow", 900],
    ["quick", 90],
  ]);
  for (const [name, expectedMs] of known) {
    void queue.enter(() => ({ urgent: false, expectedMs }), never).then(() => entered.push(name));
  }
  for (let turn = 0; turn < 3; turn += 1) await clock.runTurn();
  expect(entered).toEqual(["quick", "slow", "unknown"]);
});

test("what the cache answers while a server waits decides on its turn", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 10);
  const entered: string[] = [];
  let urgent = true;
  void queue.enter(() => ({ urgent }), never).then(() => entered.push("cached after all"));
  void queue.enter(() => ({ urgent: true }), never).then(() => entered.push("waited for"));
  urgent = false;
  for (let turn = 0; turn < 2; turn += 1) await clock.runTurn();
  expect(entered).toEqual(["waited for", "cached after all"]);
});

test("a place that is never given back is taken back after a bounded time", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 1);
  const slot = await enterNow(queue, clock);
  const next = queue.enter(() => ({ urgent: false }), never);
  await clock.advance(MAX_BOOT_MS);
  await clock.runTurn();
  await expect(next).resolves.toBeDefined();
  // Given back late, it is not given twice.
  slot.release();
  let entered = false;
  void queue
    .enter(() => ({ urgent: true }), never)
    .finally(() => {
      entered = true;
    });
  await clock.runTurn();
  expect(entered).toBe(false);
});

test("who gives up the waiting takes nobody's place", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 1);
  const controller = new AbortController();
  const first = await enterNow(queue, clock);
  const given = queue.enter(() => ({ urgent: false }), controller.signal);
  const last = queue.enter(() => ({ urgent: false }), never);
  controller.abort(new Error("given up"));
  await expect(given).rejects.toThrow("given up");
  first.release();
  await clock.runTurn();
  await expect(last).resolves.toBeDefined();
});

test("while starts are held back nobody is let in", async () => {
  const clock = createManualClock();
  const queue = new StartQueue(clock, 2);
  const [first, second] = [queue.hold(), queue.hold()];
  let entered = false;
  void queue
    .enter(() => ({ urgent: true }), never)
    .finally(() => {
      entered = true;
    });
  await clock.runTurn();
  first();
  first();
  await clock.runTurn();
  expect(entered).toBe(false);
  second();
  await clock.runTurn();
  expect(entered).toBe(true);
});

async function enterNow(queue: StartQueue, clock: { runTurn(): Promise<void> }): ReturnType<StartQueue["enter"]> {
  const entering = queue.enter(() => ({ urgent: false }), never);
  await clock.runTurn();
  return entering;
}
