import { expect, test } from "vitest";

import { allGone, isRunning } from "../../packages/mcp-client/test/support/processes.ts";
import { callForText, connect, scripted } from "../../packages/mcp-client/test/support/scripted.ts";
import { STDIO_SERVER } from "../../tooling/fault-servers/index.mjs";
import { verifies } from "../../tooling/test-support/verifies.mjs";

// The grandchildren ignore every signal that can be ignored, and have no pipe that would end.
test(verifies("L63 L64", "a server behind a shell goes with its launcher"), async () => {
  const script = JSON.stringify({ ignoreEnd: true });
  const connection = await connect({
    command: "sh",
    args: ["-c", `exec 3<&0; "$0" "$1" "$2" <&3 & wait`, process.execPath, STDIO_SERVER, script],
  });
  const pid = Number(await callForText(connection, "pid"));
  expect(pid).not.toBe(connection.pid);
  await connection.close();
  expect(isRunning(pid)).toBe(false);
  expect(isRunning(connection.pid ?? 0)).toBe(false);
});

test.skipIf(process.platform !== "linux")(
  verifies("L64", "grandchildren that made a session of their own go too, with and without their environment"),
  async () => {
    const connection = await connect(
      scripted({
        grandchildren: [{}, { newSession: true }, { newSession: true, clearEnvironment: true }],
      }),
    );
    const pids = JSON.parse(await callForText(connection, "grandchildren")) as number[];
    expect(pids).toHaveLength(3);
    await connection.close();
    expect(pids.filter((pid) => isRunning(pid))).toEqual([]);
  },
);

test.skipIf(process.platform !== "linux")("what a crashed server started does not outlive it", async () => {
  const connection = await connect(scripted({ grandchildren: [{}, { newSession: true }] }));
  const pids = JSON.parse(await callForText(connection, "grandchildren")) as number[];
  process.kill(connection.pid ?? 0, "SIGKILL");
  await expect(connection.closed).resolves.toMatchObject({ kind: "exited", signal: "SIGKILL" });
  await allGone(pids);
});
