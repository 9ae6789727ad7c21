import type { Approval } from "../approval/create-approval.ts";
import type { CreateAgentSessionOptions } from "../session/session-options.ts";
import type { Host } from "./host.ts";

/** What every session of a host has in common: where it works, what discovery goes by, and what tools may do. */
export function sessionOptionsOf(
  host: Host,
  { mayRun, approveOutside }: Pick<Approval, "mayRun" | "approveOutside">,
): CreateAgentSessionOptions {
  return {
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    logger: host.logger,
    discoveryOptions: () => host.loadOptions(),
    mayRun,
    nativeTools: host.settings.tools?.native !== false && { approveOutside },
  };
}
