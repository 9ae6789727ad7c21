import type { DiscoveryWarningKind } from "@toolgate/contracts";

/** Stable name of what was checked. */
type FindingCheck =
  | DiscoveryWarningKind
  /** A warning of a reader that has no kind of its own. */
  | "configuration-warning"
  | "invalid-config"
  | "missing-input"
  | "unsupported-transport"
  | "command-missing"
  | "command-with-arguments"
  | "command-not-executable"
  | "command-is-folder"
  | "script-without-shebang"
  | "cwd-missing"
  | "script-missing"
  | "unencrypted-credentials"
  | "shadowed-entry"
  | "same-endpoint"
  | "same-program"
  | "plain-secret"
  | "needs-approval"
  | "no-native-file"
  | "no-model"
  | "no-servers";

/** One thing that the doctor has to say. */
export interface Finding {
  /** `error`: a server or a file cannot be used; `warning`: something may not be what was meant; `hint`: good to know. */
  level: "error" | "warning" | "hint";
  check: FindingCheck;
  /** Holds no secret. */
  message: string;
  /** What to do about it. */
  fix: string;
  server?: string;
  path?: string;
  /** Further files that message and fix speak of. */
  paths?: string[];
  line?: number;
  column?: number;
}

/** A finding whose place in its file is not known yet. */
export interface FindingDraft extends Finding {
  /** Keys of the value within the server's entry that it is about. @default the entry itself */
  field?: readonly (string | number)[];
}

/** How many findings of each level there are. */
export interface FindingSummary {
  errors: number;
  warnings: number;
  hints: number;
}

const LEVELS: readonly Finding["level"][] = ["error", "warning", "hint"];

/** The findings, worst first; those of one level keep their order. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((a, b) => LEVELS.indexOf(a.level) - LEVELS.indexOf(b.level));
}

/** Counts the findings of each level. */
export function summarizeFindings(findings: readonly Finding[]): FindingSummary {
  const count = (wanted: Finding["level"]): number => findings.filter(({ level }) => level === wanted).length;
  return { errors: count("error"), warnings: count("warning"), hints: count("hint") };
}
