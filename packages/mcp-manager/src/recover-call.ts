import type { ToolAnnotations, ToolCallContext } from "@toolgate/contracts";
import { callTool } from "@toolgate/mcp-client";
import type { MCPServerConnection, ToolCallResult } from "@toolgate/mcp-client";

import { notConnectedError, toolNotFoundError } from "./connection-errors.ts";
import type { Reconnector } from "./reconnector.ts";
import type { CallSubject } from "./tool-result.ts";
import { isAbort } from "./tool-result.ts";

/** A call of a tool through one connection. */
export interface ConnectionCall {
  connection: MCPServerConnection;
  /** What the server says of the tool over this connection. */
  annotations: ToolAnnotations | undefined;
  args: Record<string, unknown>;
  context: ToolCallContext;
  /** Names server and tool; is told when the call was sent a second time. */
  subject: CallSubject;
}

/** What starts a server again for a call, see {@link Reconnector}. */
export type CallRecovery = Pick<Reconnector, "reconnect" | "answered">;

/**
 * Calls a tool of a server that is started again when it has dropped. What was certainly not sent is sent to the new
 * process; what may have reached the old one is sent a second time only when the tool says that it is read-only or
 * idempotent.
 */
export async function callWithRecovery(
  { connection: first, annotations, args, context, subject }: ConnectionCall,
  reconnector: CallRecovery,
): Promise<ToolCallResult> {
  const { server, tool } = subject;
  const send = async (connection: MCPServerConnection): Promise<ToolCallResult> => {
    if (connection.closeReason !== undefined) throw notConnectedError(server, connection.closeReason);
    const answer = await callTool(connection, tool, args, context);
    reconnector.answered(server);
    return answer;
  };
  const isFirst = first.closeReason === undefined;
  if (isFirst) {
    try {
      return await send(first);
    } catch (error) {
      if (isAbort(error) || !hasDropped(first) || !isRepeatable(annotations)) throw error;
    }
  }
  const { connection, toolNames } = await reconnector.reconnect(server, context.signal);
  if (!toolNames.includes(tool)) throw toolNotFoundError(server, tool, toolNames);
  if (isFirst && connection.closeReason === undefined) subject.replayed = true;
  return send(connection);
}

function hasDropped({ closeReason }: MCPServerConnection): boolean {
  return closeReason !== undefined && closeReason.kind !== "closed";
}

function isRepeatable({ readOnlyHint, idempotentHint }: ToolAnnotations = {}): boolean {
  return readOnlyHint === true || idempotentHint === true;
}
