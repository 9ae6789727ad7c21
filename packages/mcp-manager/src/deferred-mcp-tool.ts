import type {
  MCPToolDefinition,
  SourceMeta,
  ToolAnnotations,
  ToolCallContext,
  ToolParameters,
  ToolResult,
} from "@toolgate/contracts";
import type { MCPServerConnection } from "@toolgate/mcp-client";
import { callTool } from "@toolgate/mcp-client";

import type { Clock } from "./clock.ts";
import { systemClock } from "./clock.ts";
import { toolNotFoundError } from "./connection-errors.ts";
import type { ServerTool } from "./find-tool.ts";
import type { MCPToolOptions } from "./mcp-tool.ts";
import { toolLabel } from "./mcp-tool.ts";
import { createErrorResult, createToolResult, isAbort } from "./tool-result.ts";

/** A server that is ready to be called: connected, and its first list of tools has arrived. */
export interface ReadyServer {
  connection: MCPServerConnection;
  /** The server's own names of its tools. */
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
export class DeferredMCPTool implements ServerTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly annotations?: ToolAnnotations;
  readonly server: string;
  readonly tool: string;
  /** The definition as the cache has it. */
  readonly definition: MCPToolDefinition;
  readonly #waitForServer: WaitForServer;
  readonly #source: SourceMeta | undefined;
  readonly #clock: Clock;

  constructor(waitForServer: WaitForServer, options: MCPToolOptions) {
    const { definition } = options;
    this.name = options.name;
    this.server = options.server;
    this.tool = definition.name;
    this.label = toolLabel(definition);
    this.description = definition.description ?? "";
    this.parameters = definition.inputSchema;
    if (definition.annotations !== undefined) this.annotations = definition.annotations;
    this.definition = definition;
    this.#waitForServer = waitForServer;
    this.#source = options.source;
    this.#clock = options.clock ?? systemClock;
  }

  /** @inheritDoc */
  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const { server, tool } = this;
    const subject = { server, tool, source: this.#source, startedAt: this.#clock.now() };
    try {
      const ready = await this.#waitForServer(server, context.signal);
      if (!ready.toolNames.includes(tool)) throw toolNotFoundError(server, tool, ready.toolNames);
      const answer = await callTool(ready.connection, tool, args, context);
      return createToolResult(answer, subject, this.#clock.now());
    } catch (error) {
      if (isAbort(error)) throw error;
      return createErrorResult(error, subject, this.#clock.now());
    }
  }
}
