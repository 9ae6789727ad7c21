import type { HttpServerConfig, SseServerConfig } from "@toolgate/contracts";

/** Whether an entry holds a credential of its own, which is sent as it is; nothing signs in then. */
export function hasCredential({ auth, headers = {}, url }: HttpServerConfig | SseServerConfig): boolean {
  if (new URL(url).username !== "") return true;
  return auth !== undefined || Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
