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
import { notConnectedError } from "./connection-errors.ts";
import type { ServerTool } from "./find-tool.ts";
import { createErrorResult, createToolResult, isAbort } from "./tool-result.ts";

/** What a tool of a server is made of. */
export interface MCPToolOptions {
  /** The name that the model sees, see {@link createMcpToolName}. */
  name: string;
  server: string;
  definition: MCPToolDefinition;
  source?: SourceMeta | undefined;
  /** Measures `durationMs`. @default the process's own clock */
  clock?: Clock;
}

/** A tool of a connected server: a call goes through the connection it was made with. */
export class MCPTool implements ServerTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly annotations?: ToolAnnotations;
  readonly server: string;
  readonly tool: string;
  /** The definition as the server listed it. */
  readonly definition: MCPToolDefinition;
  readonly #connection: MCPServerConnection;
  readonly #source: SourceMeta | undefined;
  readonly #clock: Clock;

  constructor(connection: MCPServerConnection, options: MCPToolOptions) {
    const { definition } = options;
    this.name = options.name;
    this.server = options.server;
    this.tool = definition.name;
    this.label = toolLabel(definition);
    this.description = definition.description ?? "";
    this.parameters = definition.inputSchema;
    if (definition.annotations !== undefined) this.annotations = definition.annotations;
    this.definition = definition;
    this.#connection = connection;
    this.#source = options.source;
    this.#clock = options.clock ?? systemClock;
  }

  /** @inheritDoc */
  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const { server, tool } = this;
    const subject = { server, tool, source: this.#source, startedAt: this.#clock.now() };
    try {
      if (this.#connection.closeReason !== undefined) throw notConnectedError(server, this.#connection.closeReason);
      const answer = await callTool(this.#connection, tool, args, context);
      return createToolResult(answer, subject, this.#clock.now());
    } catch (error) {
      if (isAbort(error)) throw error;
      return createErrorResult(error, subject, this.#clock.now());
    }
  }
}

/** The short name of a tool for people: its title, else its name. */
export function toolLabel(definition: MCPToolDefinition): string {
  return definition.title ?? definition.annotations?.title ?? definition.name;
}
