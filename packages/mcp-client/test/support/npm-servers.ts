import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createRequire } from "node:module";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";

import type { StdioServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

const require = createRequire(import.meta.url);

/** An entry that starts one of the installed servers without npx. */
export function npmServer(name: string, ...args: string[]): StdioServerConfig {
  return { command: process.execPath, args: [require.resolve(`@modelcontextprotocol/${name}/dist/index.js`), ...args] };
}

/** Starts server-everything on a free loopback port and resolves when it says that it listens. */
export async function startEverything(
  transport: "streamableHttp" | "sse",
): Promise<{ port: number; child: ChildProcess }> {
  const port = await findFreePort();
  const { command, args = [] } = npmServer("server-everything", transport);
  const child = spawn(command, args, {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "exit");
  });
  await new Promise<void>((resolve, reject) => {
    let output = "";
    const look = (chunk: Buffer) => {
      output += chunk.toString();
      if (/listening|running on port/i.test(output)) resolve();
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.once("exit", () => reject(new Error(`server-everything ended: ${output}`)));
  });
  return { port, child };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
