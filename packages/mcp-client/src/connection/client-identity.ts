import type { ClientCapabilities } from "@toolgate/contracts";

import type { ConnectOptions } from "./connect-options.ts";

/** How the host introduces itself and what it declares, in either era. */
export interface ClientIdentity {
  clientInfo: { name: string; version: string; title?: string };
  capabilities: ClientCapabilities;
}

/** Works out how a host introduces itself: what it answers is declared, and what it declares itself goes before. */
export function clientIdentity(options: ConnectOptions): ClientIdentity {
  const { clientInfo = { name: "toolgate", version: "0.0.0" }, capabilities, elicitation, roots, sampling } = options;
  return {
    clientInfo,
    capabilities: {
      ...(sampling === undefined ? {} : { sampling: {} }),
      ...(elicitation === undefined ? {} : { elicitation: modesOf(elicitation) }),
      ...capabilities,
      ...(roots === undefined ? {} : { roots: { listChanged: true, ...capabilities?.roots } }),
    },
  };
}

function modesOf({ form, url }: NonNullable<ConnectOptions["elicitation"]>): Record<string, unknown> {
  return { ...(form === undefined ? {} : { form: {} }), ...(url === undefined ? {} : { url: {} }) };
}
