import type { ErrorCode } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";

import { sanitizeText } from "../terminal/sanitize-text.ts";

/** How a command ends a process. */
export const EXIT_STATUS = {
  fine: 0,
  /** The tool or a named server failed. */
  failed: 1,
  usage: 2,
  /** The `--config` file cannot be read, or discovery as a whole failed. */
  unreadable: 3,
  /** What was asked for needs approval or a sign-in. */
  needsConsent: 4,
  interrupted: 130,
} as const;

/** What a command gives, for programs and for people. */
export interface CommandOutcome {
  /** The JSON document. Holds no secret. */
  document: unknown;
  /** The same for people; safe to print. */
  text: string;
  exitStatus: number;
  /** Whether `text` is what was asked for also when the status is not 0, as a doctor's report is. @default false */
  report?: boolean;
  /** What people should know beside it; safe to print. */
  notes?: readonly string[];
}

/** An error as documents carry it. */
export interface ErrorDocument {
  code: ErrorCode | "USAGE" | "INTERNAL";
  message: string;
  server?: string;
}

/** What a document says of an error. */
export function describeError(error: unknown): ErrorDocument {
  if (!ToolgateError.isInstance(error)) return { code: "INTERNAL", message: messageOf(error) };
  return {
    code: error.code,
    message: error.message,
    ...(error.server === undefined ? {} : { server: error.server }),
  };
}

/** The outcome of a command that could not do what it was asked for. */
export function failedOutcome(error: unknown, exitStatus: number = exitStatusOf(error)): CommandOutcome {
  const document = { error: describeError(error) };
  return { document, text: sanitizeText(document.error.message), exitStatus };
}

/** The outcome of a command that cannot be understood. */
export function usageOutcome(message: string): CommandOutcome {
  return {
    document: { error: { code: "USAGE", message } satisfies ErrorDocument },
    text: sanitizeText(message),
    exitStatus: EXIT_STATUS.usage,
  };
}

/** The exit status that an error stands for. */
export function exitStatusOf(error: unknown): number {
  if (!ToolgateError.isInstance(error)) return EXIT_STATUS.failed;
  return exitStatusOfCode(error.code);
}

/** The exit status that an error code stands for. */
export function exitStatusOfCode(code: ErrorCode): number {
  if (code === "NOT_TRUSTED" || code === "AUTH_REQUIRED") return EXIT_STATUS.needsConsent;
  return code === "DISCOVERY_FAILED" ? EXIT_STATUS.unreadable : EXIT_STATUS.failed;
}
