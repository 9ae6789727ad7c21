import type { AgentTool, ToolAnnotations, ToolCallContext, ToolParameters, ToolResult } from "@toolgate/contracts";
import type { ConnectionStatus, ServerTool } from "@toolgate/mcp-manager";
import { isServerTool } from "@toolgate/mcp-manager";

/** What a session's tool needs of the session. */
export interface SessionMCPToolContext {
  statusOf(server: string): ConnectionStatus;
  /** Called when a call had to wait for its server and the server is connected now. Must not reject. */
  onLateConnection(server: string): Promise<void>;
}

/**
 * A server's tool as a session holds it: a call that made its server connect brings the session's tools up to date
 * before it returns, so that the model's next turn sees them.
 */
class SessionMCPTool implements ServerTool {
  readonly name: string;
  readonly label: string;
  readonly description: string;
  readonly parameters: ToolParameters;
  readonly annotations?: ToolAnnotations;
  readonly server: string;
  readonly tool: string;
  readonly #inner: AgentTool;
  readonly #context: SessionMCPToolContext;

  constructor(inner: ServerTool, context: SessionMCPToolContext) {
    this.name = inner.name;
    this.label = inner.label;
    this.description = inner.description;
    this.parameters = inner.parameters;
    if (inner.annotations !== undefined) this.annotations = inner.annotations;
    this.server = inner.server;
    this.tool = inner.tool;
    this.#inner = inner;
    this.#context = context;
  }

  /** @inheritDoc */
  async execute(args: Record<string, unknown>, context: ToolCallContext = {}): Promise<ToolResult> {
    const wasConnected = this.#context.statusOf(this.server) === "connected";
    try {
      return await this.#inner.execute(args, context);
    } finally {
      if (!wasConnected && this.#context.statusOf(this.server) === "connected") {
        await this.#context.onLateConnection(this.server);
      }
    }
  }
}

/** Wraps a manager's tool for a session; other tools are taken as they are. */
export function wrapForSession(tool: AgentTool, context: SessionMCPToolContext): AgentTool {
  return isServerTool(tool) ? new SessionMCPTool(tool, context) : tool;
}
