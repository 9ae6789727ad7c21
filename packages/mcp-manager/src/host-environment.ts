import { homedir } from "node:os";

import type { MCPManagerOptions } from "./manager-options.ts";

/** The environment that children are given of. A host that was given another home directory means it for them too. */
export function hostEnvironment({ env, home }: MCPManagerOptions): Record<string, string | undefined> {
  if (env !== undefined) return home === undefined || env["HOME"] !== undefined ? env : { ...env, HOME: home };
  return home === undefined || home === homedir() ? process.env : { ...process.env, HOME: home, USERPROFILE: home };
}
