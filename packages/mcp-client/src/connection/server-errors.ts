import {
  collectSecrets,
  isSecretName,
  maskServerConfig,
  maskUrl,
  messageOf,
  type ErrorCode,
  type ErrorStage,
  type MCPServerConfig,
  SECRET_MASK,
  type SourceMeta,
  ToolgateError,
  type TransportType,
  transportOf,
} from "@toolgate/contracts";

import type { CloseReason } from "./connection.ts";
import { KnownSecrets } from "./known-secrets.ts";
import { redactValue } from "./redact-error.ts";

const LONGEST_DETAIL = 2000;
/** A program may be given as an argument. */
const LONGEST_TARGET = 1000;

/** Makes the errors of one server: who, from which file, what was tried, what came back; without secrets. */
export class ServerErrors {
  /** The server's name. */
  readonly name: string;
  #secrets: KnownSecrets;
  readonly #source: SourceMeta | undefined;
  readonly #config: MCPServerConfig;
  #stage: ErrorStage = "connect";

  constructor(name: string, config: MCPServerConfig, source: SourceMeta | undefined) {
    this.name = name;
    this.#source = source;
    this.#config = config;
    this.#secrets = new KnownSecrets(collectSecrets(config));
  }

  /** Replaces every secret that is known by now. */
  readonly redact = (text: string): string => this.#secrets.redact(text);

  /** Values that turned up later and must not be seen either: tokens, codes. */
  addSecrets(values: readonly (string | undefined)[]): void {
    this.#secrets.add(values);
  }

  /** `The server "name" (path of its file)`. */
  get label(): string {
    return `The server "${this.name}"${this.#source === undefined ? "" : ` (${this.#source.path})`}`;
  }

  /** The command line or the address, as it may be shown. */
  get target(): string {
    const masked = maskServerConfig(this.#config);
    const target =
      transportOf(masked) === "stdio" && "command" in masked
        ? [masked.command, ...maskArguments(masked.args ?? [])].join(" ")
        : "url" in masked
          ? maskUrl(masked.url)
          : "";
    const shown = this.redact(target);
    return shown.length > LONGEST_TARGET ? `${shown.slice(0, LONGEST_TARGET)}…` : shown;
  }

  /** What an error about this server says beside its message. */
  get facts(): { server: string; stage: ErrorStage; transport: TransportType } {
    return { server: this.name, stage: this.#stage, transport: transportOf(this.#config) };
  }

  /** Makes the errors of one step in the life of a connection. */
  during(stage: ErrorStage): ServerErrors {
    const errors = new ServerErrors(this.name, this.#config, this.#source);
    // Shared, so that a token that turns up in one step is known in all of them.
    errors.#secrets = this.#secrets;
    errors.#stage = stage;
    return errors;
  }

  create(code: ErrorCode, message: string, extra: { data?: unknown; cause?: unknown } = {}): ToolgateError {
    return new ToolgateError(code, this.redact(`${this.label} ${message}`), {
      ...this.facts,
      ...(extra.data === undefined ? {} : { data: this.redactData(extra.data) }),
      ...(extra.cause === undefined ? {} : { cause: this.redactData(extra.cause) }),
    });
  }

  /** The connection is over: says how it ended. */
  fromCloseReason(reason: CloseReason, during: string): ToolgateError {
    if (reason.kind === "closed") return this.create("CLOSED", `was disconnected by the host during ${during}.`);
    if (reason.network !== undefined) {
      const { code, address, text } = reason.network;
      return this.create(
        "CONNECT_FAILED",
        `at ${this.target} could not be reached any more during ${during}: ${text}. It has to be connected anew.`,
        { data: { code, ...(address === undefined ? {} : { address }) } },
      );
    }
    const { exitCode = null, signal = null, stderr = "" } = reason;
    const ended =
      reason.kind === "failed"
        ? reason.message.replace(/^The server's process /, "")
        : signal === null
          ? `exited with code ${exitCode}`
          : `was ended by the signal ${signal}`;
    const output = stderr === "" ? "It wrote nothing to its error output." : `Its error output ends with:\n${stderr}`;
    return this.create(
      "SERVER_EXITED",
      `${ended.replace(/\.$/, "")} during ${during}. It was run as: ${this.target}\n${output}`,
      { data: { exitCode, signal, stderr } },
    );
  }

  /** A value that may be printed: JSON that came from a server, an error with its causes. */
  redactData(value: unknown): unknown {
    return redactValue(value, this.redact);
  }

  /** Text that came from a server, short enough for a message. */
  excerpt(text: string): string {
    return this.redact(text.trim()).slice(-LONGEST_DETAIL);
  }

  messageOf(error: unknown): string {
    return this.excerpt(messageOf(error));
  }
}

function maskArguments(args: readonly string[]): string[] {
  return args.map((argument, index) => {
    const [, flag, value] = /^(--?[^=\s]+)=(.*)$/s.exec(argument) ?? [];
    if (flag !== undefined && value !== undefined && isSecretName(flag)) return `${flag}=${SECRET_MASK}`;
    const previous = args[index - 1];
    const follows = previous !== undefined && /^--?[^=\s]+$/.test(previous) && isSecretName(previous);
    return follows && !argument.startsWith("-") ? SECRET_MASK : argument;
  });
}
