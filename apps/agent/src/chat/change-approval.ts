import { APPROVAL_MODES, isApprovalMode } from "../approval/approval-mode.ts";
import type { Approval } from "../approval/create-approval.ts";
import { alignColumns } from "../terminal/columns.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";

/** `/approval`: shows which tools run without a question, switches the mode for this session, or forgets what was allowed. */
export async function changeApproval(approval: Approval, words: string): Promise<string> {
  const word = words.trim();
  if (word === "") return describeApproval(approval);
  if (word === "forget") {
    return `${formatCount((await approval.remembered?.clear()) ?? 0, "tool")} of this project forgotten.`;
  }
  if (!isApprovalMode(word)) {
    const modes = APPROVAL_MODES.map(({ mode }) => mode).join(", ");
    return `There is no mode ${sanitizeLine(word)}. There are: ${modes}; and "forget".`;
  }
  approval.mode = word;
  return describeApproval(approval);
}

async function describeApproval({ mode, rules, remembered }: Approval): Promise<string> {
  const modes = APPROVAL_MODES.map((each) => [each.mode === mode ? "●" : " ", each.mode, each.description]);
  const lists = [
    ["deny", rules.deny],
    ["ask", rules.ask],
    ["allow", rules.allow],
    ["always in this project", (await remembered?.list()) ?? []],
  ] as const;
  const rows = lists.filter(([, tools]) => tools.length > 0).map(([name, tools]) => `${name}: ${tools.join(", ")}`);
  return [...alignColumns(modes), ...rows.map(sanitizeLine)].join("\n");
}
