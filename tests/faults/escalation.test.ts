import { expect, onTestFinished, test, vi } from "vitest";

import { isRunning } from "../../packages/mcp-client/test/support/processes.ts";
import { connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { verifies } from "../../tooling/test-support/verifies.mjs";

test(verifies("L64", "closing ends a server that ignores the end of its input and SIGTERM"), async () => {
  const connection = await connect(scripted({ ignoreEnd: true, ignoreSignals: true }));
  const pid = connection.pid ?? 0;
  expect(isRunning(pid)).toBe(true);
  await connection.close();
  expect(isRunning(pid)).toBe(false);
});

test(verifies("L64", "closing twice is one closing, and a closed connection says so at once"), async () => {
  const connection = await connect(scripted());
  const first = connection.close();
  expect(connection.closeReason).toMatchObject({ kind: "closed" });
  await Promise.all([first, connection.close()]);
  await connection.close();
  await expect(connection.request("ping")).rejects.toMatchObject({ code: "CLOSED", server: "fixture" });
});

test("a server that ends at the end of its input is not signalled", async () => {
  const connection = await connect(scripted());
  // A signal would set the child's signal code, and Node.js's compile cache would not be written.
  const kill = vi.spyOn(process, "kill");
  onTestFinished(() => kill.mockRestore());
  await connection.close();
  expect(kill.mock.calls.filter(([, signal]) => signal !== 0)).toEqual([]);
});

test("SIGTERM comes once: many programs take a second one for impatience", async () => {
  const connection = await connect(scripted({ ignoreEnd: true, countSignals: true }));
  await connection.close();
  expect(connection.stderr()).toBe("got SIGTERM\n");
});
