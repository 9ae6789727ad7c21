import type { JSONRPCMessage } from "@modelcontextprotocol/sdk/types.js";
import { isRecord, isSecretName, SECRET_MASK } from "@toolgate/contracts";

/** Which way a message went. */
export type MessageDirection = "sent" | "received";

/** A message between the host and a server, as {@link ConnectOptions.onMessage} sees it. */
export interface ObservedMessage {
  direction: MessageDirection;
  kind: "request" | "response" | "notification";
  /** Of requests and notifications. */
  method?: string;
  /** Of requests and of the responses to them. */
  id?: string | number;
  /** Characters of the message as JSON. */
  size: number;
  /** Code of a response that is an error. */
  errorCode?: number;
  /**
   * The message as JSON with at most that many characters, with the secrets of the entry and whatever has the name of a
   * secret masked, and so is whatever a person has answered in a form. It still holds what else the user and the server
   * said to each other. Keeps nothing alive once it was called.
   */
  text(limit: number): string;
}

/** Longer secrets than this are not told apart at the end of a cut text. */
const LONGEST_SECRET = 8192;

/** Describes a message for whoever looks on. */
export function observeMessage(
  message: JSONRPCMessage,
  direction: MessageDirection,
  redact: (text: string) => string,
): ObservedMessage {
  const json = JSON.stringify(direction === "sent" ? maskAnswers(message) : message);
  const errorCode = "error" in message ? message.error.code : undefined;
  return {
    direction,
    kind: kindOf(message),
    ...("method" in message ? { method: message.method } : {}),
    ...("id" in message && message.id !== undefined ? { id: message.id } : {}),
    size: json.length,
    ...(errorCode === undefined ? {} : { errorCode }),
    // What is cut off later goes through the mask too: half a secret at the end would not be recognised.
    text: (limit) => maskNamed(redact(json.slice(0, limit + LONGEST_SECRET))).slice(0, limit),
  };
}

/** What people answer may be a secret whatever the field is called; each value is masked, the names stay. */
function maskAnswers(message: JSONRPCMessage): unknown {
  if ("result" in message) return { ...message, result: maskAnswer(message.result) };
  if (!("params" in message) || !isRecord(message.params)) return message;
  // Since revision 2026-07-28 answers go with the request that they were wanted for.
  const { inputResponses } = message.params as Record<string, unknown>;
  if (!isRecord(inputResponses)) return message;
  const masked = Object.entries(inputResponses).map(([key, answer]) => [key, maskAnswer(answer)]);
  return { ...message, params: { ...message.params, inputResponses: Object.fromEntries(masked) as unknown } };
}

function maskAnswer(answer: unknown): unknown {
  if (!isRecord(answer) || typeof answer["action"] !== "string" || !isRecord(answer["content"])) return answer;
  const names = Object.keys(answer["content"]);
  return { ...answer, content: Object.fromEntries(names.map((name) => [name, SECRET_MASK])) };
}

function kindOf(message: JSONRPCMessage): ObservedMessage["kind"] {
  if (!("method" in message)) return "response";
  return "id" in message ? "request" : "notification";
}

/** Masks texts whose name says that they are secret, in JSON that may be cut. */
function maskNamed(json: string): string {
  return json.replace(/"([^"\\]{1,100})":"(?:[^"\\]|\\.)*"?/g, (whole, name: string) =>
    isSecretName(name) ? `"${name}":"${SECRET_MASK}"` : whole,
  );
}
