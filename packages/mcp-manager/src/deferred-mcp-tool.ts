import type { ToolCallContext } from "@toolgate/contracts";
import { callTool } from "@toolgate/mcp-client";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import { toolNotFoundError } from "./connection-errors.ts";
import { ConnectionTool } from "./connection-tool.ts";
import type { MCPToolOptions } from "./connection-tool.ts";

/** A server that is ready to be called: connected, and its first list of tools has arrived. */
export interface ReadyServer {
  connection: MCPServerConnection;
  /** The server's own names of its tools, as it listed them last. */
  toolNames: readonly string[];
}

/**
 * Waits for a server on behalf of a deferred tool.
 *
 * Contract: rejects with the server's own error when its start failed, and with an `AbortError` when the signal says so;
 * the abort ends the waiting, not the server.
 */
export type WaitForServer = (server: string, signal: AbortSignal | undefined) => Promise<ReadyServer>;

/**
 * A tool that is known from an earlier session while its server is still starting. A call waits for the server and its
 * first list of tools; it is not sent when the server does not have the tool any more.
 */
export class DeferredMCPTool extends ConnectionTool {
  readonly #waitForServer: WaitForServer;

  constructor(waitForServer: WaitForServer, options: MCPToolOptions) {
    super(options);
    this.#waitForServer = waitForServer;
  }

  protected override async call(args: Record<string, unknown>, context: ToolCallContext): Promise<ToolCallResult> {
    const ready = await this.#waitForServer(this.server, context.signal);
    if (!ready.toolNames.includes(this.tool)) throw toolNotFoundError(this.server, this.tool, ready.toolNames);
    return callTool(ready.connection, this.tool, args, context);
  }
}
