import type { ApprovalSettings } from "./approval-settings.ts";
import type { Approval } from "./create-approval.ts";
import { createApproval } from "./create-approval.ts";

/** What the command line says about tools where nobody can be asked. */
export interface UnattendedOptions {
  /** `--allow`: names or globs of tools that may run. */
  allow: readonly string[];
  /** `--yes`: every tool may run that no rule denies. */
  yes: boolean;
}

/**
 * Makes the approval of a run without anybody to ask: tools that say of themselves that they only read may run, and
 * those that were allowed, here or in the user's settings. What was allowed in a chat for one project does not count.
 */
export function createUnattendedApproval({ allow, yes }: UnattendedOptions, settings: ApprovalSettings): Approval {
  const { mode, rules } = settings;
  return createApproval({
    mode: yes || mode === "never-ask" ? "never-ask" : "read-only",
    rules: { ...rules, allow: [...rules.allow, ...allow] },
  });
}
