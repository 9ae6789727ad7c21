import { isServerTool } from "@toolgate/mcp-manager";

import type { AgentSession } from "../session/agent-session.ts";
import { renderStatusLine } from "./status-line.ts";

/** How the session stands at the moment, in one line. */
export function describeStatus(session: AgentSession): string {
  const servers = session.mcpManager?.describeServers() ?? [];
  return renderStatusLine(session.model?.id, servers, session.tools.active().filter(isServerTool).length);
}
