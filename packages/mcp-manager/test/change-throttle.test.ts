import { silentLogger } from "@toolgate/contracts";
import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { ChangeThrottle } from "../src/change-throttle.ts";
import { createManualClock } from "./support/manual-clock.ts";

test(
  verifies("X02", "the first change is reacted to at once, and those that come meanwhile are one more"),
  async () => {
    const { clock, times, throttle, finish } = createThrottle();
    for (let count = 0; count < 200; count += 1) throttle.report();
    expect(times).toEqual([0]);
    await finish();
    await clock.advance(999);
    expect(times).toEqual([0]);
    await clock.advance(1);
    expect(times).toEqual([0, 1000]);
    await finish();
    await clock.advance(100_000);
    expect(times).toEqual([0, 1000]);
  },
);

test(verifies("X02", "a source that reports at every reaction is reacted to ever more rarely"), async () => {
  const { clock, times, throttle } = createThrottle(() => throttle.report());
  throttle.report();
  await clock.advance(0);
  for (let second = 0; second < 121; second += 1) await clock.advance(1000);
  expect(times.map((time) => time / 1000)).toEqual([0, 1, 3, 7, 15, 31, 61, 91, 121]);
});

test(verifies("X02", "a slow reaction is followed by a pause, also when changes came meanwhile"), async () => {
  const { clock, times, throttle, finish } = createThrottle();
  throttle.report();
  throttle.report();
  await clock.advance(5000);
  await finish();
  expect(times).toEqual([0]);
  await clock.advance(1000);
  expect(times).toEqual([0, 6000]);
});

test(verifies("X02", "after a rest a change is reacted to at once again"), async () => {
  const { clock, times, throttle } = createThrottle(() => {});
  throttle.report();
  throttle.report();
  await clock.advance(0);
  await clock.advance(1000);
  expect(times).toEqual([0, 1000]);
  await clock.advance(2000);
  throttle.report();
  expect(times).toEqual([0, 1000, 3000]);
});

test("what is reported during a hold is one reaction afterwards, and nothing is reacted to after the close", async () => {
  const { clock, times, throttle } = createThrottle(() => {});
  const release = throttle.hold();
  throttle.report();
  throttle.report();
  expect(times).toEqual([]);
  release();
  expect(times).toEqual([0]);
  await clock.advance(0);
  throttle.report();
  throttle.close();
  throttle.report();
  await clock.advance(5000);
  expect(times).toEqual([0]);
});

test("a reaction that fails is logged, and the next change is reacted to", async () => {
  const warnings: string[] = [];
  const clock = createManualClock();
  const throttle = new ChangeThrottle({
    clock,
    logger: { ...silentLogger, warn: (message) => void warnings.push(message) },
    what: "following",
    react: () => Promise.reject(new Error("no answer")),
  });
  throttle.report();
  await clock.advance(0);
  await clock.advance(2000);
  throttle.report();
  await clock.advance(0);
  expect(warnings).toEqual(["following failed: no answer", "following failed: no answer"]);
});

/** A throttle whose reactions last until they are finished, unless the given function is the reaction. */
function createThrottle(react?: () => void): {
  clock: ReturnType<typeof createManualClock>;
  times: number[];
  throttle: ChangeThrottle;
  finish: () => Promise<void>;
} {
  const clock = createManualClock();
  const times: number[] = [];
  let end = (): void => {};
  const throttle = new ChangeThrottle({
    clock,
    logger: silentLogger,
    what: "following",
    react: () => {
      times.push(clock.now());
      if (react !== undefined) return react();
      return new Promise((resolve) => {
        end = resolve;
      });
    },
  });
  const finish = async (): Promise<void> => {
    end();
    await clock.advance(0);
  };
  return { clock, times, throttle, finish };
}
