import type { ServerDescription } from "@toolgate/mcp-manager";
import { isServerTool } from "@toolgate/mcp-manager";

import type { AgentSession } from "../session/agent-session.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";

/**
 * One line that says how a session stands at the moment: model, servers by state, tools of servers. It asks nobody and
 * waits for nothing, so that it may be made for every prompt and every event of the manager.
 */
export function statusLineOf({
  model,
  mcpManager,
  tools,
}: Pick<AgentSession, "model" | "mcpManager" | "tools">): string {
  // A tool that has just come is on its way into the session; one that was switched off there does not count.
  const usable = mcpManager?.getTools().filter(({ name }) => tools.get(name) === undefined || tools.isActive(name));
  const count = usable?.filter(isServerTool).length ?? 0;
  return renderStatusLine(model?.id, mcpManager?.describeServers() ?? [], count);
}

/** The line for a model, servers and a number of tools; servers count as such when they are connected. */
export function renderStatusLine(
  model: string | undefined,
  servers: readonly Pick<ServerDescription, "status">[],
  tools: number,
): string {
  const counts = { connected: 0, connecting: 0, disconnected: 0, failed: 0, "needs-approval": 0, "needs-auth": 0 };
  for (const { status } of servers) counts[status] += 1;
  const { connected, connecting, failed, disconnected } = counts;
  const waiting = counts["needs-approval"] + counts["needs-auth"];
  const states = [
    formatCount(connected, "server"),
    ...(connecting > 0 ? [`${connecting} connecting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(disconnected > 0 ? [`${disconnected} disconnected`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
  ];
  const name = model === undefined ? "no model" : sanitizeLine(model);
  return ` toolgate · ${name} · ${states.join(", ")} · ${formatCount(tools, "tool")}`;
}
