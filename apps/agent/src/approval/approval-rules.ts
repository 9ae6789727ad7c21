import type { AgentTool } from "@toolgate/contracts";

import { matchesTool } from "../session/tool-patterns.ts";

/** Rules about tools, each a name or a glob; of those that fit one tool, deny wins over ask, and ask over allow. */
export interface ApprovalRules {
  allow: readonly string[];
  ask: readonly string[];
  deny: readonly string[];
}

/** Which rule decides about a tool. */
export interface RuleDecision {
  rule: keyof ApprovalRules;
  /** As it is written. */
  pattern: string;
}

const ORDER = ["deny", "ask", "allow"] as const;

/** Finds the rule that decides about a tool; undefined when none names it. */
export function decideByRules(tool: AgentTool, rules: ApprovalRules): RuleDecision | undefined {
  for (const rule of ORDER) {
    const pattern = rules[rule].find((each) => matchesTool(tool, each));
    if (pattern !== undefined) return { rule, pattern };
  }
  return undefined;
}
