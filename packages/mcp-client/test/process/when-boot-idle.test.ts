import { spawn } from "node:child_process";
import { once } from "node:events";

import { expect, onTestFinished, test } from "vitest";

import { whenBootIdle } from "../../src/index.ts";
import { failureOf } from "../support/scripted.ts";

function run(script: string) {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["pipe", "pipe", "ignore"] });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  return child;
}

test.skipIf(process.platform !== "linux")("a process that computes is not idle until it stops", async () => {
  const child = run(
    "process.stdin.once('data', () => { stop = true }); let stop = false; (function spin() { if (!stop) { for (let i = 0; i < 1e6; i++); setImmediate(spin); } else setInterval(() => {}, 1e6); })(); console.log('up')",
  );
  await once(child.stdout, "data");
  let idle = false;
  const wait = whenBootIdle(child.pid ?? 0).then(() => (idle = true));
  // Many looks happen while it works; a busy machine only makes them fewer.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(idle).toBe(false);
  child.stdin.write("stop");
  await wait;
});

test.skipIf(process.platform !== "linux")("a process that is gone is idle", async () => {
  const child = run("");
  await once(child, "exit");
  await expect(whenBootIdle(child.pid ?? 0)).resolves.toBeUndefined();
});

test("the wait can be given up", async () => {
  const controller = new AbortController();
  const wait = failureOf(whenBootIdle(process.pid, { signal: controller.signal, platform: "darwin" }));
  controller.abort();
  expect((await wait).name).toBe("AbortError");
});

test("elsewhere than on Linux it is a short time", async () => {
  await expect(whenBootIdle(0, { platform: "darwin" })).resolves.toBeUndefined();
});
