import type { AgentTool, MaybePromise } from "@toolgate/contracts";

import type { ServerTool } from "./find-tool.ts";
import { findTool, isServerTool, otherSpellings } from "./find-tool.ts";
import type { MCPManager } from "./manager.ts";
import { SubagentTool } from "./subagent-tool.ts";
import { createNameMatcher } from "./tool-filter.ts";

/** Which of the parent's tools a subagent gets, and how its calls are watched over. */
export interface SubagentToolsOptions {
  /** Names, or globs over names, in any form that {@link findTool} understands. @default all */
  allow?: readonly string[];
  /**
   * The parent's word on each call, with the parent's own tool; a refusal is the call's result.
   *
   * @default every allowed tool may run
   */
  mayRun?: (tool: AgentTool, args: Record<string, unknown>) => MaybePromise<boolean>;
  /** Ends the subagent: its calls under way are aborted, and so is every later one. @default never */
  signal?: AbortSignal;
}

/**
 * Tools for a subagent, each a proxy for a tool of the parent's manager: the child never discovers, connects or closes
 * a server. A proxy looks its tool up at every use, so a server that became ready or came back is seen; for tools that
 * are new, call this again after a `tools-changed` event, or use {@link createSubagentToolSet}.
 */
export function createSubagentTools(manager: MCPManager, options: SubagentToolsOptions = {}): AgentTool[] {
  return allowedTools(manager, options.allow).map((tool) => new SubagentTool(manager, tool, options));
}

/** The tools of one subagent, which follow the parent's. */
export interface SubagentToolSet extends Disposable {
  /** What the subagent may use now, sorted by name; a tool that stays is the same object. */
  list(): AgentTool[];
  /**
   * Ends the subagent: its calls under way are aborted, and so is every later one. Servers, and the calls of others, go
   * on. Idempotent.
   */
  dispose(): void;
}

/** As {@link createSubagentTools}, for a child whose list follows the parent's and which is disposed of with its calls. */
export function createSubagentToolSet(manager: MCPManager, options: SubagentToolsOptions = {}): SubagentToolSet {
  const ending = new AbortController();
  const signal = options.signal === undefined ? ending.signal : AbortSignal.any([ending.signal, options.signal]);
  const proxies = new Map<string, SubagentTool>();
  const proxyOf = (tool: ServerTool): SubagentTool => {
    const known = proxies.get(tool.name) ?? new SubagentTool(manager, tool, { ...options, signal });
    proxies.set(tool.name, known);
    return known;
  };
  const dispose = (): void => ending.abort();
  return {
    list: () => allowedTools(manager, options.allow).map((tool) => proxyOf(tool)),
    dispose,
    [Symbol.dispose]: dispose,
  };
}

function allowedTools(manager: MCPManager, allow: readonly string[] | undefined): ServerTool[] {
  const tools = manager.getTools().filter(isServerTool);
  if (allow === undefined) return tools;
  const named = new Set(allow.map((reference) => findTool(tools, reference)?.name));
  // A plain name means one tool, so that one which fits several means none; a glob means all that fit.
  const globs = allow.filter((reference) => /[*?]/.test(reference)).map(createNameMatcher);
  return tools.filter((tool) => {
    const spellings = [tool.name, ...otherSpellings(tool)];
    return named.has(tool.name) || globs.some((matches) => spellings.some(matches));
  });
}
