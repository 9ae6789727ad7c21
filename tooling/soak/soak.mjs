/**
 * Connects to a real server again and again: connect, list, call, close. What a connection took has to be given back: the
 * figures after some warm-up and those at the end are printed, and the run fails when something has grown.
 *
 * `npm run soak -- --transport stdio|http --cycles 1000` (default: http, 100). Descriptors and processes are read from
 * /proc and left out elsewhere than on Linux.
 */
import { getEventListeners } from "node:events";
import { parseArgs } from "node:util";

import { callTool, connectToServer, listTools } from "@toolgate/mcp-client";

import { fixtureServer } from "../fixture-servers/index.mjs";
import { grown, measure } from "./figures.mjs";
import { startHttpServer } from "./http-server.mjs";

const { values } = parseArgs({
  options: { cycles: { type: "string", default: "100" }, transport: { type: "string", default: "http" } },
});
const cycles = Number(values.cycles);
if (!Number.isInteger(cycles) || cycles < 1) throw new Error("--cycles is a whole number of 1 or more");
if (values.transport !== "stdio" && values.transport !== "http") throw new Error("--transport is stdio or http");
const server = values.transport === "http" ? await startHttpServer() : undefined;
// Shared by all connections, as a session's own signal is.
const { signal } = new AbortController();
let tools = 0;

try {
  for (let cycle = 0; cycle < Math.max(20, Math.ceil(cycles / 10)); cycle += 1) await runCycle();
  const before = await measure();
  const started = performance.now();
  for (let cycle = 0; cycle < cycles; cycle += 1) await runCycle();
  const seconds = (performance.now() - started) / 1000;
  const after = await measure(before);
  console.log(`${values.transport}: ${cycles} cycles in ${seconds.toFixed(1)} s, ${tools} tools each`);
  console.table({ before, after });
  const problems = grown(before, after);
  if (getEventListeners(signal, "abort").length > 0) problems.push("listeners of the caller's signal");
  if (problems.length > 0) {
    console.error(`Grown: ${problems.join(", ")}`);
    process.exitCode = 1;
  }
} finally {
  await server?.stop();
}

async function runCycle() {
  const config = server === undefined ? fixtureServer() : { type: /** @type {const} */ ("http"), url: server.url };
  const connection = await connectToServer("soak", config, { signal, compileCacheDirectory: false });
  try {
    ({
      tools: { length: tools },
    } = await listTools(connection, { signal }));
    const { isError } = await callTool(connection, "echo", { message: "again", text: "again" }, { signal });
    if (isError) throw new Error("the tool echo reports an error");
  } finally {
    await connection.close();
  }
}
