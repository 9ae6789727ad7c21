import { isDeepStrictEqual } from "node:util";

import type { MCPToolDefinition } from "@toolgate/contracts";

import { byCodeUnits } from "./by-code-units.ts";

/** Whether two lists hold the same tools; the order of a list and of the fields means nothing. */
export function sameTools(one: readonly MCPToolDefinition[], other: readonly MCPToolDefinition[]): boolean {
  return one.length === other.length && isDeepStrictEqual(byName(one), byName(other));
}

function byName(tools: readonly MCPToolDefinition[]): MCPToolDefinition[] {
  return tools.toSorted((a, b) => byCodeUnits(a.name, b.name));
}
