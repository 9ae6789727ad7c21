/** The everything server over Streamable HTTP, as a process of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { fileURLToPath } from "node:url";

/** @returns {Promise<{ url: string, stop: () => Promise<void> }>} */
export async function startHttpServer() {
  const port = await freePort();
  const entry = fileURLToPath(import.meta.resolve("@modelcontextprotocol/server-everything/package.json"));
  const script = entry.replace(/package\.json$/, "dist/index.js");
  const child = spawn(process.execPath, [script, "streamableHttp"], {
    env: { ...process.env, PORT: String(port) },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await new Promise((resolve, reject) => {
    child.once("exit", (code) => reject(new Error(`the server exited with code ${code}`)));
    child.stderr.on("data", (/** @type {Buffer} */ chunk) => {
      if (chunk.includes("listening")) resolve(undefined);
    });
  });
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    stop: async () => {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    },
  };
}

/** @returns {Promise<number>} */
async function freePort() {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  server.close();
  await once(server, "close");
  return port;
}
