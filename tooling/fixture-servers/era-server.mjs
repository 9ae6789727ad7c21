/**
 * The server of `era-tools.mjs` over standard input and output; its first argument is the options as JSON.
 */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import { createServer, logMessage } from "./era-tools.mjs";

/** @type {import("./index.mjs").EraOptions} */
const options = JSON.parse(process.argv[2] ?? "{}");

class LoggedTransport extends StdioServerTransport {
  /** @override */
  async start() {
    const deliver = this.onmessage;
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK knows no other way
    this.onmessage = (message) => {
      logMessage(options.logFile, message);
      deliver?.(message);
    };
    await super.start();
  }
}

serveStdio(() => createServer(options), { legacy: options.legacy ?? "serve", transport: new LoggedTransport() });
