import type {
  MCPToolDefinition,
  SourceMeta,
  ToolAnnotations,
  ToolCallContext,
  ToolParameters,
  ToolResult,
} from "@toolgate/contracts";
import type { ToolCallResult } from "@toolgate/mcp-client";

import { systemClock } from "./clock.ts";
import type { Clock } from "./clock.ts";
import { traceCall } from "./diagnostics.ts";
import type { ServerTool } from "./find-tool.ts";
import type { LimitOutput } from "./output-limits.ts";
import type { CallSubject } from "./tool-result.ts";
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
  /** Cuts results down. @default results are handed over whole */
  limitOutput?: LimitOutput | undefined;
}

/** A tool that is called over a server's connection; how it comes to that connection is the subclass's matter. */
export abstract class ConnectionTool implements ServerTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  declare readonly annotations?: ToolAnnotations;
  readonly server: string;
  readonly tool: string;
  /** The definition as the server listed it, now or in an earlier session. */
  readonly definition: MCPToolDefinition;
  readonly #source: SourceMeta | undefined;
  readonly #clock: Clock;
  readonly #limitOutput: LimitOutput | undefined;

  constructor({ name, server, definition, source, clock = systemClock, limitOutput }: MCPToolOptions) {
    this.name = name;
    this.server = server;
    this.tool = definition.name;
    this.label = definition.title ?? definition.annotations?.title ?? definition.name;
    this.description = definition.description ?? "";
    this.parameters = definition.inputSchema;
    if (definition.annotations !== undefined) this.annotations = definition.annotations;
    this.definition = definition;
    this.#source = source;
    this.#clock = clock;
    this.#limitOutput = limitOutput;
  }

  /** @inheritDoc */
  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const subject: CallSubject = {
      server: this.server,
      tool: this.tool,
      source: this.#source,
      startedAt: this.#clock.now(),
    };
    const result = await this.#answer(args, context, subject);
    return this.#limitOutput === undefined ? result : this.#limitOutput(result);
  }

  async #answer(args: Record<string, unknown>, context: ToolCallContext, subject: CallSubject): Promise<ToolResult> {
    const trace = traceCall(subject);
    let result: ToolResult;
    try {
      result = createToolResult(await this.call(args, context, subject), subject, this.#clock.now());
    } catch (error) {
      if (isAbort(error)) {
        trace.aborted(this.#clock.now() - subject.startedAt);
        throw error;
      }
      result = createErrorResult(error, subject, this.#clock.now());
    }
    trace.ended(result);
    return result;
  }

  /**
   * Calls the tool; whatever it throws becomes the result, except an abort.
   *
   * @param subject - What is noted there becomes part of the result's details.
   */
  protected abstract call(
    args: Record<string, unknown>,
    context: ToolCallContext,
    subject: CallSubject,
  ): Promise<ToolCallResult>;
}
