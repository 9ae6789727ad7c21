/** A host program: connects the entries of its first argument, prints what runs, then does as its second says. */
import { callTool, connectToServer, ensureProcessSupervisor, killAllChildren } from "../../src/index.ts";

const configs = JSON.parse(process.argv[2] ?? "[]") as Parameters<typeof connectToServer>[1][];
const ending = process.argv[3];

if (ending === "supervised") ensureProcessSupervisor();
// Before anything is printed: a test may send the signal as soon as it knows the processes.
if (ending === "signal-handler") {
  process.on("SIGTERM", () => {
    killAllChildren();
    process.exit(143);
  });
}
const connections = await Promise.all(
  configs.map((config, index) => connectToServer(`server-${index}`, config, { compileCacheDirectory: false })),
);
const grandchildren = await Promise.all(
  connections.map(async (connection) => {
    const { content } = await callTool(connection, "grandchildren");
    const [block] = content;
    return block?.type === "text" ? (JSON.parse(block.text) as number[]) : [];
  }),
);
const pids = [...connections.map(({ pid }) => pid ?? 0), ...grandchildren.flat()];
process.stdout.write(`${JSON.stringify(pids)}\n`);

if (ending === "exit") process.exit(0);
if (ending === "throw") throw new Error("the host crashes");
if (ending === "close") {
  ensureProcessSupervisor();
  await Promise.all(connections.map((connection) => connection.close()));
  // Nothing is left that would keep the event loop alive: the host ends by itself.
}
