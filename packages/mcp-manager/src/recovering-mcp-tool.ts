import type { ToolAnnotations, ToolCallContext } from "@toolgate/contracts";
import { callTool } from "@toolgate/mcp-client";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import { notConnectedError, toolNotFoundError } from "./connection-errors.ts";
import type { MCPToolOptions } from "./connection-tool.ts";
import { MCPTool } from "./mcp-tool.ts";
import type { Reconnector } from "./reconnector.ts";
import type { CallSubject } from "./tool-result.ts";
import { isAbort } from "./tool-result.ts";

/**
 * A tool of a server that is started again when it has dropped. What was certainly not sent is sent to the new process;
 * what may have reached the old one is sent a second time only when the tool says that it is read-only or idempotent.
 */
export class RecoveringMCPTool extends MCPTool {
  readonly #connection: MCPServerConnection;
  readonly #reconnector: Reconnector;

  constructor(connection: MCPServerConnection, options: MCPToolOptions & { reconnector: Reconnector }) {
    super(connection, options);
    this.#connection = connection;
    this.#reconnector = options.reconnector;
  }

  protected override async call(
    args: Record<string, unknown>,
    context: ToolCallContext,
    subject: CallSubject,
  ): Promise<ToolCallResult> {
    const isFirst = this.#connection.closeReason === undefined;
    if (isFirst) {
      try {
        const answer = await super.call(args, context, subject);
        this.#reconnector.answered(this.server);
        return answer;
      } catch (error) {
        if (isAbort(error) || !this.#hasDropped() || !isRepeatable(this.annotations)) throw error;
      }
    }
    const { connection, toolNames } = await this.#reconnector.reconnect(this.server, context.signal);
    if (!toolNames.includes(this.tool)) throw toolNotFoundError(this.server, this.tool, toolNames);
    if (connection.closeReason !== undefined) throw notConnectedError(this.server, connection.closeReason);
    if (isFirst) subject.replayed = true;
    const answer = await callTool(connection, this.tool, args, context);
    this.#reconnector.answered(this.server);
    return answer;
  }

  #hasDropped(): boolean {
    const { closeReason } = this.#connection;
    return closeReason !== undefined && closeReason.kind !== "closed";
  }
}

function isRepeatable({ readOnlyHint, idempotentHint }: ToolAnnotations = {}): boolean {
  return readOnlyHint === true || idempotentHint === true;
}
