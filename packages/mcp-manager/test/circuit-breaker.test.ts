import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { BREAKER_ATTEMPTS, BREAKER_WINDOW_MS, CircuitBreaker } from "../src/circuit-breaker.ts";
import { createManualClock } from "./support/manual-clock.ts";

test(verifies("X01", "five attempts in 30 s open it for 30 s, then a single one goes through"), async () => {
  const clock = createManualClock();
  const breaker = new CircuitBreaker(clock);
  for (let attempt = 0; attempt < BREAKER_ATTEMPTS; attempt += 1) {
    expect(breaker.blockedFor).toBe(0);
    breaker.attempt();
    await clock.advance(100);
  }
  expect(breaker.blockedFor).toBe(BREAKER_WINDOW_MS - 100);
  await clock.advance(breaker.blockedFor);
  expect(breaker.blockedFor).toBe(0);
  breaker.attempt();
  expect(breaker.blockedFor).toBe(BREAKER_WINDOW_MS);
});

test(verifies("X01", "a success closes it and takes all attempts back"), async () => {
  const breaker = new CircuitBreaker(createManualClock());
  for (let attempt = 0; attempt < BREAKER_ATTEMPTS; attempt += 1) breaker.attempt();
  breaker.succeed();
  for (let attempt = 0; attempt < BREAKER_ATTEMPTS - 1; attempt += 1) breaker.attempt();
  expect(breaker.blockedFor).toBe(0);
});

test("attempts that are rare enough never open it", async () => {
  const clock = createManualClock();
  const breaker = new CircuitBreaker(clock);
  for (let attempt = 0; attempt < 50; attempt += 1) {
    breaker.attempt();
    await clock.advance(BREAKER_WINDOW_MS / (BREAKER_ATTEMPTS - 1));
    expect(breaker.blockedFor).toBe(0);
  }
});
