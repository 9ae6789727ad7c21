/** The codes that the protocol and JSON-RPC have for what can be in the way of an answer. */
const CODES = {
  /** The person, or the app for them, does not want to. */
  rejected: -1,
  /** The request cannot be understood, is too large, or wants what was never declared. */
  invalid: -32_602,
  /** It was understood and wanted, and failed all the same. */
  failed: -32_603,
} as const;

/** What a server is answered in place of a result: its code and message are sent. */
export class RequestRefusal extends Error {
  override readonly name: string = "RequestRefusal";
  readonly reason: keyof typeof CODES;
  readonly code: number;

  constructor(reason: keyof typeof CODES, message: string) {
    super(message);
    this.reason = reason;
    this.code = CODES[reason];
  }
}
