/** How a session decides about tools that no rule names. */
export type ApprovalMode =
  /** A person is asked about every tool. */
  | "ask"
  /** Tools that say of themselves that they only read may run; a person is asked about the others. */
  | "read-only"
  /** Everything may run, unless a rule denies it. */
  | "never-ask";

/** All modes, with what they mean for people. */
export const APPROVAL_MODES: readonly { mode: ApprovalMode; description: string }[] = [
  { mode: "ask", description: "asks about every tool" },
  { mode: "read-only", description: "asks about tools that do more than read" },
  { mode: "never-ask", description: "asks about nothing; what is denied stays denied" },
];

/** Whether a word is the name of a mode. */
export function isApprovalMode(value: unknown): value is ApprovalMode {
  return APPROVAL_MODES.some(({ mode }) => mode === value);
}
