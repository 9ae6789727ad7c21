import type { AgentModel, ModelEvent, ModelRequest } from "../../src/session/agent-model.ts";

/** A model that answers from a script, and keeps what it was asked. */
export interface ScriptedModel extends AgentModel {
  readonly requests: ModelRequest[];
}

/** Makes a model whose answers are given; a function decides by the request. */
export function scriptedModel(
  answers: readonly (ModelEvent[] | ((request: ModelRequest) => ModelEvent[] | Promise<ModelEvent[]>))[],
): ScriptedModel {
  const requests: ModelRequest[] = [];
  return {
    id: "scripted",
    requests,
    async *respond(request) {
      requests.push(request);
      const answer = answers[requests.length - 1] ?? [];
      yield* typeof answer === "function" ? await answer(request) : answer;
    },
  };
}

/** A tool call of a model. */
export function toolCall(id: string, name: string, args: Record<string, unknown> = {}): ModelEvent {
  return { type: "tool-call", call: { id, name, arguments: args } };
}

/** All events of a prompt. */
export async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}
