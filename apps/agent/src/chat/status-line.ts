import type { ServerDescription } from "@toolgate/mcp-manager";

import { formatCount } from "../terminal/format.ts";

/** One line that says how the session stands: model, servers by state, tools. */
export function renderStatusLine(
  model: string | undefined,
  servers: readonly ServerDescription[],
  tools: number,
): string {
  const count = (...statuses: string[]): number => servers.filter(({ status }) => statuses.includes(status)).length;
  const [connecting, failed, waiting] = [count("connecting"), count("failed"), count("needs-approval", "needs-auth")];
  const states = [
    formatCount(count("connected"), "server"),
    ...(connecting > 0 ? [`${connecting} connecting`] : []),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(waiting > 0 ? [`${waiting} waiting for you`] : []),
  ];
  return ` toolgate · ${model ?? "no model"} · ${states.join(", ")} · ${formatCount(tools, "tool")}`;
}
