import { isRecord } from "@toolgate/contracts";

import type { CredentialRecord } from "./credential-storage.ts";

/** The canonical form of a server's URL: no user, no fragment, no slash at the end of the path. */
export function credentialKey(serverUrl: string): string {
  const url = new URL(serverUrl);
  url.username = url.password = url.hash = "";
  if (url.pathname.length > 1) url.pathname = url.pathname.replace(/\/+$/, "");
  return url.href;
}

/** Takes a stored value for what it should be: a record of this server. Anything else is `undefined`. */
export function toCredentialRecord(value: unknown, key: string): CredentialRecord | undefined {
  if (!isRecord(value) || value["serverUrl"] !== key || typeof value["issuer"] !== "string") return undefined;
  const { client, tokens } = value;
  if (client !== undefined && !(isRecord(client) && typeof client["clientId"] === "string")) return undefined;
  const usable =
    isRecord(tokens) && typeof tokens["accessToken"] === "string" && typeof tokens["obtainedAt"] === "number";
  if (tokens !== undefined && !usable) return undefined;
  return value as unknown as CredentialRecord;
}
