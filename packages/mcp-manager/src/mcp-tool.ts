import type { ToolCallContext } from "@toolgate/contracts";
import { callTool } from "@toolgate/mcp-client";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import { notConnectedError } from "./connection-errors.ts";
import { ConnectionTool } from "./connection-tool.ts";
import type { MCPToolOptions } from "./connection-tool.ts";
import type { CallSubject } from "./tool-result.ts";

/** A tool of a connected server: a call goes through the connection it was made with. */
export class MCPTool extends ConnectionTool {
  readonly #connection: MCPServerConnection;

  constructor(connection: MCPServerConnection, options: MCPToolOptions) {
    super(options);
    this.#connection = connection;
  }

  protected override async call(
    args: Record<string, unknown>,
    context: ToolCallContext,
    _subject: CallSubject,
  ): Promise<ToolCallResult> {
    const { closeReason } = this.#connection;
    if (closeReason !== undefined) throw notConnectedError(this.server, closeReason);
    return callTool(this.#connection, this.tool, args, context);
  }
}
