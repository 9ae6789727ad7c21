import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";

import type { StdioServerConfig } from "@toolgate/contracts";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";

import { verifies } from "../../../../tooling/test-support/verifies.mjs";
import { bundleHost } from "../support/host-bundle.ts";
import { allGone, isRunning } from "../support/processes.ts";
import { scripted } from "../support/scripted.ts";

let host: Awaited<ReturnType<typeof bundleHost>>;
beforeAll(async () => {
  host = await bundleHost();
});
afterAll(() => host.remove());

const stubborn = { ignoreEnd: true, ignoreSignals: true };
const family = { ...stubborn, grandchildren: [{}, { newSession: true }, { newSession: true, clearEnvironment: true }] };

/** Starts a host and resolves with the processes that it runs. */
async function startHost(ending: string, ...scripts: object[]): Promise<{ child: ChildProcess; pids: number[] }> {
  const configs: StdioServerConfig[] = scripts.map((script) => scripted(script));
  const child = spawn(process.execPath, [host.path, JSON.stringify(configs), ending], {
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.setEncoding("utf8");
  for await (const chunk of child.stdout) {
    output += chunk as string;
    if (output.includes("\n")) break;
  }
  return { child, pids: JSON.parse(output) as number[] };
}

const linux = process.platform === "linux";

test.skipIf(!linux)(
  verifies("L64 L66", "a host that is killed with -9 takes all of its children with it"),
  async () => {
    const { child, pids } = await startHost("supervised", family, stubborn, {});
    expect(pids).toHaveLength(6);
    const supervisors = supervisorsOf(child.pid ?? 0);
    expect(supervisors).toHaveLength(1);
    child.kill("SIGKILL");
    await allGone([...pids, ...supervisors]);
  },
);

test.skipIf(!linux)(verifies("L66", "a host that exits takes its children with it, and its supervisor"), async () => {
  const { child, pids } = await startHost("exit", family, stubborn);
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
  await allGone(pids);
});

test.skipIf(!linux)(verifies("L66", "a host that crashes takes its children with it"), async () => {
  const { child, pids } = await startHost("throw", family);
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).not.toBe(0);
  await allGone(pids);
});

test.skipIf(!linux)(
  verifies("L66", "the library leaves signals to the app, which can end the children itself"),
  async () => {
    const { child, pids } = await startHost("signal-handler", family);
    child.kill("SIGTERM");
    await once(child, "exit");
    expect(child.exitCode).toBe(143);
    await allGone(pids);
  },
);

test("a host that closed its connections ends by itself, and nothing is left", async () => {
  const { child, pids } = await startHost("close", {}, {});
  if (child.exitCode === null) await once(child, "exit");
  expect(child.exitCode).toBe(0);
  await allGone(pids);
  expect(supervisorsOf(child.pid ?? 0)).toEqual([]);
});

function supervisorsOf(pid: number): number[] {
  if (!linux) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && isRunning(Number(name)))
    .filter((name) => commandOf(name).includes(`TOOLGATE_PROCESS_MARKER=${pid}-`))
    .map(Number);
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  } catch {
    return "";
  }
}
