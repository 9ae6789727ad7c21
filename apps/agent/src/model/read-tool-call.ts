import { isRecord } from "@toolgate/contracts";
import type { TypedToolCall, ToolSet } from "ai";

import type { ModelToolCall } from "../session/agent-model.ts";
import type { WireNames } from "./wire-names.ts";

/** A tool call as the session runs it; one whose arguments make no sense is the model's to mend. */
export function readToolCall(
  { toolCallId, toolName, input, invalid }: TypedToolCall<ToolSet>,
  names: WireNames,
): ModelToolCall {
  const call = { id: toolCallId, name: names.fromWire(toolName) };
  if (isRecord(input)) return { ...call, arguments: input };
  // What cannot be parsed is given as the text that it is.
  const fault = invalid === true && typeof input === "string" ? "were not JSON" : "must be a JSON object";
  return { ...call, arguments: {}, problem: `The arguments of ${call.name} ${fault}; call it again.` };
}
