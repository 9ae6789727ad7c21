import type { AgentTool } from "@toolgate/contracts";

import type { OutsideRequest } from "../native-tools/path-scope.ts";
import type { MayRunTool, ToolDecision } from "../session/session-call-context.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import type { ApprovalMode } from "./approval-mode.ts";
import { describeQuestion, parseApproval } from "./approval-question.ts";
import type { ApprovalRules } from "./approval-rules.ts";
import { decideByRules } from "./approval-rules.ts";
import type { RememberedTools } from "./remembered-tools.ts";

/** Asks a person for a line; the end of the input is an empty one. */
export type AskPerson = (question: string, signal: AbortSignal) => Promise<string>;

/** What {@link createApproval} goes by. */
export interface ApprovalOptions {
  /** @default "ask"; where nobody can be asked that is "read-only" */
  mode?: ApprovalMode;
  rules: ApprovalRules;
  /** What was allowed for good in this project. @default nothing is remembered */
  remembered?: RememberedTools;
  /** @default nobody can be asked: what would be asked about does not run */
  ask?: AskPerson;
}

/** Decides which tools of a session may run: native ones, those of servers, and those that subagents call. */
export interface Approval {
  mode: ApprovalMode;
  readonly rules: ApprovalRules;
  readonly remembered: RememberedTools | undefined;
  /** The hook of a session. */
  readonly mayRun: MayRunTool;
  /** The hook of the native tools: a change outside of the working directory is a question of its own. */
  readonly approveOutside: (request: OutsideRequest) => Promise<boolean>;
}

function modeOf({ mode = "ask", ask }: ApprovalOptions): ApprovalMode {
  return mode === "ask" && ask === undefined ? "read-only" : mode;
}

const NOBODY = "it needs approval, and nobody can be asked here.";

/**
 * Makes the approval of a session. What a server says of its tools counts, since only approved servers run at all. Of
 * calls that run at once, one question is asked after the other.
 */
export function createApproval(options: ApprovalOptions): Approval {
  const { rules, remembered, ask } = options;
  let lastQuestion: Promise<unknown> = Promise.resolve();

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const next = lastQuestion.then(work);
    lastQuestion = next.catch(() => {});
    return next;
  }

  const approval: Approval = {
    mode: modeOf(options),
    rules,
    remembered,
    async mayRun(tool, args, { signal }) {
      return (await decide(tool)) ?? inTurn(() => askAbout(tool, args, signal));
    },
    async approveOutside({ tool, path, signal = new AbortController().signal }) {
      if (approval.mode === "never-ask") return true;
      if (ask === undefined) return false;
      const question = `${tool} wants to change a file outside of the working directory: ${sanitizeLine(path)}\nAllow it? [y/N] `;
      return inTurn(async () => parseApproval(await ask(question, signal)).answer === "once");
    },
  };
  return approval;

  /** What is known without asking; undefined when a person has to say. */
  async function decide(tool: AgentTool): Promise<ToolDecision | undefined> {
    const { rule, pattern } = decideByRules(tool, rules) ?? {};
    if (rule === "deny") return { allowed: false, reason: `the rule deny ${String(pattern)} forbids it.` };
    if (approval.mode === "never-ask" || rule === "allow") return true;
    if (rule === undefined) {
      if (approval.mode === "read-only" && tool.annotations?.readOnlyHint === true) return true;
      if ((await remembered?.list())?.includes(tool.name) === true) return true;
    }
    return ask === undefined ? { allowed: false, reason: NOBODY } : undefined;
  }

  async function askAbout(tool: AgentTool, args: Record<string, unknown>, signal: AbortSignal): Promise<ToolDecision> {
    signal.throwIfAborted();
    // An answer to an earlier question may have decided about this one.
    const known = await decide(tool);
    if (known !== undefined || ask === undefined) return known ?? { allowed: false, reason: NOBODY };
    const answer = parseApproval(await ask(describeQuestion(tool, args), signal));
    if (answer.answer === "no") {
      const { reason } = answer;
      return { allowed: false, reason: reason === undefined ? "the person said no." : `the person said: ${reason}` };
    }
    if (answer.answer === "always") await remembered?.allow(tool.name);
    return true;
  }
}
