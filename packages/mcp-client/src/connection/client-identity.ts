import type { ClientCapabilities } from "@toolgate/contracts";

import type { ConnectOptions } from "./connect-options.ts";

/** How the host introduces itself and what it declares, in either era. */
export interface ClientIdentity {
  clientInfo: { name: string; version: string; title?: string };
  capabilities: ClientCapabilities;
}

/** Works out how a host introduces itself; giving roots declares them. */
export function clientIdentity(options: ConnectOptions): ClientIdentity {
  const { clientInfo = { name: "toolgate", version: "0.0.0" }, capabilities, roots } = options;
  return {
    clientInfo,
    capabilities: { ...capabilities, ...(roots === undefined ? {} : { roots: { ...capabilities?.roots } }) },
  };
}
