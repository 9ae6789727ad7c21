import { isServerTool } from "@toolgate/mcp-manager";

import type { AgentSession } from "../session/agent-session.ts";
import { renderStatusLine } from "./status-line.ts";

/** How the session stands at the moment, in one line. */
export function describeStatus({ model, mcpManager, tools }: AgentSession): string {
  const servers = mcpManager?.describeServers() ?? [];
  // A tool that has just come is on its way into the session; one that was switched off there does not count.
  const usable = mcpManager?.getTools().filter(({ name }) => tools.get(name) === undefined || tools.isActive(name));
  return renderStatusLine(model?.id, servers, usable?.filter(isServerTool).length ?? 0);
}
