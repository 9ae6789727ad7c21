import type { Approval } from "../approval/create-approval.ts";
import { createApproval } from "../approval/create-approval.ts";
import { createRememberedTools } from "../approval/remembered-tools.ts";
import type { Host } from "../cli/host.ts";
import { sessionOptionsOf } from "../cli/session-options-of-host.ts";
import type { ServerRequests } from "../server-requests/create-server-request-handlers.ts";
import type { AgentModel } from "../session/agent-model.ts";
import { createAgentSession } from "../session/create-agent-session.ts";
import type { ChatTerminal } from "./chat-terminal.ts";

/** What decides about the tools of a chat: settings, what was remembered, and whoever sits there. */
export function createChatApproval(host: Host, terminal: ChatTerminal): Approval {
  const { mode, rules } = host.approval;
  return createApproval({
    ...(mode === undefined ? {} : { mode }),
    rules,
    remembered: createRememberedTools({ ...host, project: host.cwd }),
    ...(terminal.isInteractive ? { ask: (question, signal) => terminal.readLine(question, signal) } : {}),
  });
}

/** What the session of a chat is made of. */
export interface ChatSessionOptions {
  approval: Approval;
  model: AgentModel;
  /** Whether somebody types. */
  isInteractive: boolean;
  /** Whether the servers of the project run without approval. */
  trustsProject: boolean;
  /** What servers may ask; declared to them when it is there. */
  requests: ServerRequests | undefined;
}

/** Starts the session of a chat. */
export async function startChatSession(
  host: Host,
  { approval, model, isInteractive, trustsProject, requests }: ChatSessionOptions,
): ReturnType<typeof createAgentSession> {
  // The prompt comes first, and servers come in while the person types.
  const fallback = isInteractive ? 0 : undefined;
  const startupTimeoutMs = host.options.startupTimeoutMs ?? host.settings.mcp.startupTimeoutMs ?? fallback;
  return createAgentSession({
    ...sessionOptionsOf(host, approval),
    model,
    mcp: {
      ...(await host.managerOptions()),
      ...requests?.handlers,
      ...(trustsProject ? { approve: () => true } : {}),
      ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
      // A prompt of the model waits for those that it may need. The lines of a pipe come at once, and are about tools
      // that have to be there.
      uncachedPending: isInteractive ? "defer" : "wait",
    },
  });
}
