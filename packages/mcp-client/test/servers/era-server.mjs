/**
 * The server of `era-fixture.mjs` over standard input and output. Its first argument is JSON: `legacy` as `serveStdio`
 * has it, `log` a file for the methods that arrive.
 */
import { serveStdio, StdioServerTransport } from "@modelcontextprotocol/server/stdio";

import { createServer, logMessage } from "./era-fixture.mjs";

/** @type {{ legacy?: "serve" | "reject", log?: string, oddTool?: boolean }} */
const options = JSON.parse(process.argv[2] ?? "{}");

class LoggedTransport extends StdioServerTransport {
  /** @override */
  async start() {
    const deliver = this.onmessage;
    this.onmessage = (message) => {
      logMessage(options.log, message);
      deliver?.(message);
    };
    await super.start();
  }
}

serveStdio(() => createServer(options), { legacy: options.legacy ?? "serve", transport: new LoggedTransport() });
