import { isRecord } from "@toolgate/contracts";

/** What a POST to a server carries. */
export interface PostedMessage {
  /** Absent in a notification. */
  id?: string | number;
  /** Absent in the answer to a request of the server. */
  method?: string;
}

/** Reads the JSON-RPC message of a POST; `undefined` for anything else. */
export function readPosted(init: RequestInit | undefined): PostedMessage | undefined {
  if (init?.method !== "POST" || typeof init.body !== "string") return undefined;
  let message: unknown;
  try {
    message = JSON.parse(init.body);
  } catch {
    return undefined;
  }
  if (!isRecord(message)) return undefined;
  const { id, method } = message;
  return {
    ...(typeof id === "string" || typeof id === "number" ? { id } : {}),
    ...(typeof method === "string" ? { method } : {}),
  };
}

/** The type of an answer's content, without parameters. */
export function mediaTypeOf(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";")[0]?.trim().toLowerCase() ?? "";
}
