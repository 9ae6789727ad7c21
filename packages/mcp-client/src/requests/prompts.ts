import { isRecord } from "@toolgate/contracts";

import type { MCPServerConnection, RequestOptions } from "../connection/connection.ts";
import { listEntries, type ListOptions } from "./list-entries.ts";

/** A prompt as its server lists it. */
export interface Prompt {
  name: string;
  title?: string;
  description?: string;
  arguments?: { name: string; description?: string; required?: boolean }[];
  [field: string]: unknown;
}

/** A prompt with its arguments filled in. */
export interface PromptResult {
  description?: string;
  messages: { role: "user" | "assistant"; content: Record<string, unknown> }[];
}

/** What is completed: an argument of a prompt, or a variable of a resource template. */
export interface CompletionRequest {
  ref: { type: "ref/prompt"; name: string } | { type: "ref/resource"; uri: string };
  argument: { name: string; value: string };
  /** Arguments that are known already. */
  context?: { arguments?: Record<string, string> };
}

/** Proposals for a value. */
export interface Completion {
  values: string[];
  total?: number;
  hasMore?: boolean;
}

/** Lists all prompts; a server that offers none is not asked. */
export async function listPrompts(connection: MCPServerConnection, options: ListOptions = {}): Promise<Prompt[]> {
  if (connection.capabilities.prompts === undefined) return [];
  const listing = { kind: "prompt", method: "prompts/list", field: "prompts", key: "name", optional: true };
  const entries = await listEntries(connection, listing, options);
  return entries.map(({ arguments: args, ...prompt }) => {
    if (!Array.isArray(args)) return prompt as unknown as Prompt;
    const named = args.filter((argument) => isRecord(argument) && typeof argument["name"] === "string");
    return { ...prompt, arguments: named } as unknown as Prompt;
  });
}

/** Fills a prompt in. */
// oxlint-disable-next-line max-params -- options come last, as everywhere
export async function getPrompt(
  connection: MCPServerConnection,
  name: string,
  args: Record<string, string> = {},
  options: RequestOptions = {},
): Promise<PromptResult> {
  const { description, messages } = await connection.request("prompts/get", { name, arguments: args }, options);
  const result: PromptResult = { messages: (Array.isArray(messages) ? messages : []) as PromptResult["messages"] };
  if (typeof description === "string") result.description = description;
  return result;
}

/** Asks for proposals for a value; a server that offers none is not asked. */
export async function complete(
  connection: MCPServerConnection,
  request: CompletionRequest,
  options: RequestOptions = {},
): Promise<Completion> {
  if (connection.capabilities.completions === undefined) return { values: [] };
  const { completion } = await connection.request("completion/complete", { ...request }, options);
  if (!isRecord(completion)) return { values: [] };
  const { values, total, hasMore } = completion;
  return {
    values: Array.isArray(values) ? values.filter((value) => typeof value === "string") : [],
    ...(typeof total === "number" ? { total } : {}),
    ...(typeof hasMore === "boolean" ? { hasMore } : {}),
  };
}
