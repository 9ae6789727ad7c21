import { type BearerChallenge, parseBearerChallenge } from "../remote/challenge.ts";
import type { AuthorizationContext } from "./authorization-context.ts";

/** Asks a server for something without a token, to see what sign-in it wants; it may want none, or say nothing. */
export async function probeChallenge({ config, fetch }: AuthorizationContext): Promise<BearerChallenge | undefined> {
  const isStream = config.type === "sse";
  const response = await fetch(config.url, {
    redirect: "manual",
    method: isStream ? "GET" : "POST",
    headers: {
      ...config.headers,
      accept: isStream ? "text/event-stream" : "application/json, text/event-stream",
      ...(isStream ? {} : { "content-type": "application/json" }),
    },
    ...(isStream ? {} : { body: JSON.stringify({ jsonrpc: "2.0", id: 0, method: "ping" }) }),
  });
  await response.body?.cancel().catch(() => {});
  return response.status === 401 ? parseBearerChallenge(response.headers.get("www-authenticate")) : undefined;
}
