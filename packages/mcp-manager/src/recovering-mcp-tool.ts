import type { ToolCallContext } from "@toolgate/contracts";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import type { MCPToolOptions } from "./connection-tool.ts";
import { MCPTool } from "./mcp-tool.ts";
import type { CallRecovery } from "./recover-call.ts";
import { callWithRecovery } from "./recover-call.ts";
import type { CallSubject } from "./tool-result.ts";

/** A tool of a server that is started again when it has dropped, see {@link callWithRecovery}. */
export class RecoveringMCPTool extends MCPTool {
  readonly #connection: MCPServerConnection;
  readonly #reconnector: CallRecovery;

  constructor(connection: MCPServerConnection, options: MCPToolOptions & { reconnector: CallRecovery }) {
    super(connection, options);
    this.#connection = connection;
    this.#reconnector = options.reconnector;
  }

  protected override call(
    args: Record<string, unknown>,
    context: ToolCallContext,
    subject: CallSubject,
  ): Promise<ToolCallResult> {
    const { annotations } = this;
    return callWithRecovery({ connection: this.#connection, annotations, args, context, subject }, this.#reconnector);
  }
}
