import { isRecord } from "@toolgate/contracts";

import type { ApprovalMode } from "./approval-mode.ts";
import { APPROVAL_MODES, isApprovalMode } from "./approval-mode.ts";
import type { ApprovalRules } from "./approval-rules.ts";

/** What the setting `approval` of the user's own file says. */
export interface ApprovalSettings {
  mode?: ApprovalMode;
  rules: ApprovalRules;
  /** What could not be used, for people. */
  problems: string[];
}

/** Reads the setting `approval`: a mode, or an object with `mode`, `allow`, `ask` and `deny`. */
export function readApprovalSettings(value: unknown): ApprovalSettings {
  const setting = typeof value === "string" ? { mode: value } : isRecord(value) ? value : {};
  const problems: string[] = [];
  const mode = setting["mode"];
  if (mode !== undefined && !isApprovalMode(mode)) {
    const modes = APPROVAL_MODES.map((each) => each.mode).join(", ");
    problems.push(`The setting "approval.mode" must be one of ${modes}; it is ignored.`);
  }
  const readList = (name: keyof ApprovalRules): string[] => {
    const list = setting[name];
    if (list === undefined) return [];
    if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
    problems.push(`The setting "approval.${name}" must be a list of names of tools; it is ignored.`);
    return [];
  };
  const rules = { allow: readList("allow"), ask: readList("ask"), deny: readList("deny") };
  return { ...(isApprovalMode(mode) ? { mode } : {}), rules, problems };
}
