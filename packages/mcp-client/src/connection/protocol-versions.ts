/** The revision of the modern era: no sessions, no `initialize`. */
export const MODERN_REVISION = "2026-07-28";

/** A server answered `initialize` with a revision that is not spoken here, or with none. */
export class UnknownRevisionError extends Error {
  override readonly name: string = "UnknownRevisionError";
  /** What stood in place of the revision: any JSON value. */
  readonly revision: unknown;
  /** What `initialize` can settle on. */
  readonly spoken: readonly string[];

  constructor(revision: unknown, spoken: readonly string[]) {
    super(
      `it answered initialize with the protocol revision ${JSON.stringify(revision)}, ` +
        `and this client speaks ${spoken.join(", ")}`,
    );
    this.revision = revision;
    this.spoken = spoken;
  }
}

/** A server answered `server/discover` with something else than what a server of the modern era answers, or not at all. */
export class NoDiscoveryError extends Error {
  override readonly name: string = "NoDiscoveryError";
  /** The revisions that its answer names. */
  readonly supported: string[] | undefined;

  constructor(message: string, supported?: string[]) {
    super(message);
    this.supported = supported;
  }
}
