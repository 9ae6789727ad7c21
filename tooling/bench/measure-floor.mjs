/**
 * The floor: all servers spawned at once and spoken to by hand, with nothing between. Prints the milliseconds from the
 * start of this process to the first server's tools and to all of them.
 */
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

import { anchorServers } from "./anchor-servers.mjs";

const since = () => Date.now() - performance.timeOrigin;
let first = 0;
let tools = 0;

const children = await Promise.all(Object.values(anchorServers(process.argv[2] ?? process.cwd())).map(start));
process.stdout.write(`${JSON.stringify({ first, all: since(), tools })}\n`);
for (const child of children) child.stdin.end();

/** @param {{ command: string, args: string[], env?: Record<string, string> }} config */
function start(config) {
  const child = spawn(config.command, config.args, {
    env: { ...process.env, ...config.env },
    stdio: ["pipe", "pipe", "ignore"],
  });
  /** @param {object} message */
  const send = (message) => child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`);
  send({
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "floor", version: "0" } },
  });
  return new Promise((resolve) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = JSON.parse(line);
      if (message.id === 1) {
        send({ method: "notifications/initialized" });
        send({ id: 2, method: "tools/list" });
      } else if (message.id === 2) {
        tools += message.result.tools.length;
        first ||= since();
        resolve(child);
      }
    });
  });
}
