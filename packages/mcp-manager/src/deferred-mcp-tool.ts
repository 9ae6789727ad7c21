import type { ToolCallContext } from "@toolgate/contracts";
import { callTool } from "@toolgate/mcp-client";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import { toolNotFoundError } from "./connection-errors.ts";
import { ConnectionTool } from "./connection-tool.ts";
import type { MCPToolOptions } from "./connection-tool.ts";
import type { CallSubject } from "./tool-result.ts";

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

/** A call of a deferred tool whose server is ready. */
interface ReadyCall {
  connection: MCPServerConnection;
  args: Record<string, unknown>;
  context: ToolCallContext;
  subject: CallSubject;
}

/** What a deferred tool is made of. */
export interface DeferredToolOptions extends MCPToolOptions {
  /** Calls the tool once its server is ready. @default over the connection, once */
  send?: ((call: ReadyCall) => Promise<ToolCallResult>) | undefined;
}

/**
 * A tool that is known from an earlier session while its server is still starting. A call waits for the server and its
 * first list of tools; it is not sent when the server does not have the tool any more.
 */
export class DeferredMCPTool extends ConnectionTool {
  readonly #waitForServer: WaitForServer;
  readonly #send: NonNullable<DeferredToolOptions["send"]>;

  constructor(waitForServer: WaitForServer, options: DeferredToolOptions) {
    super(options);
    this.#waitForServer = waitForServer;
    this.#send = options.send ?? (({ connection, args, context }) => callTool(connection, this.tool, args, context));
  }

  protected override async call(
    args: Record<string, unknown>,
    context: ToolCallContext,
    subject: CallSubject,
  ): Promise<ToolCallResult> {
    const ready = await this.#waitForServer(this.server, context.signal);
    if (!ready.toolNames.includes(this.tool)) throw toolNotFoundError(this.server, this.tool, ready.toolNames);
    return this.#send({ connection: ready.connection, args, context, subject });
  }
}
