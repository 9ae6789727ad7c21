import { existsSync } from "node:fs";

import { type ErrorStage, isRecord, type MCPServerConfig, type ProtocolEra, ToolgateError } from "@toolgate/contracts";

import { describeNetworkError, HttpStatusError } from "../remote/http-errors.ts";
import { searchedDirectories } from "../stdio/find-command.ts";
import type { SpawnedServer } from "../stdio/spawn-server.ts";
import { lastLines } from "../stdio/stderr-ring.ts";
import type { CloseReason } from "./connection.ts";
import { describeRefusal, supportedRevisions } from "./era-evidence.ts";
import { isJsonRpcError, toRemoteError, toRequestError } from "./request-errors.ts";
import type { ServerErrors } from "./server-errors.ts";
import { LostAnswer, type ServerLink } from "./server-link.ts";

/** The first request of each era. */
const FIRST_REQUEST: Readonly<Record<ProtocolEra, string>> = { legacy: "initialize", modern: "server/discover" };

/** Time was up, or the caller gave up. */
export class HandshakeFailure extends Error {
  readonly kind: "timeout" | "abort";

  constructor(kind: "timeout" | "abort") {
    super(kind);
    this.kind = kind;
  }
}

/** What is known about a connect that failed. */
export interface FailedConnect {
  config: MCPServerConfig;
  link: ServerLink;
  /** The limit in milliseconds. */
  limit: number;
  errors: ServerErrors;
  /** The era that was tried. */
  era: ProtocolEra;
  spawned: SpawnedServer | undefined;
}

/** Turns what a connect failed with into an error with a code, a cause and advice. */
export function toConnectError(failure: unknown, context: FailedConnect): ToolgateError {
  const { config, era, limit, link, spawned } = context;
  const errors = context.errors.during(stageOf(failure, context));
  const during = FIRST_REQUEST[era];
  if (ToolgateError.isInstance(failure)) return failure;
  if (failure instanceof HandshakeFailure) {
    const output = lastLines(link.stderr());
    const tail = output === "" ? "" : `\nIts error output ends with:\n${output}`;
    const note = (link.note ?? "") === "" ? "" : ` ${link.note}`;
    const [at, command] =
      spawned === undefined ? [`at ${errors.target} `, ""] : ["", ` It was run as: ${errors.target}`];
    return errors.create(
      "CONNECT_TIMEOUT",
      `${at}did not finish the handshake within ${limit} ms${describeStray(link.strayOutput)}. ` +
        `A longer "startupTimeout" in its entry gives it more time.${command}${tail}${note}`,
      { data: { limit, stderr: output } },
    );
  }
  if (isCloseReason(failure)) return errors.fromCloseReason(failure, "its start");
  if (spawned !== undefined && link.pid === undefined) return toSpawnError(failure, spawned, { config, errors });
  const refusal = describeRefusal(era, failure);
  if (refusal !== undefined) {
    const pinned = config.protocol === "legacy" || config.protocol === "modern";
    const pin = pinned ? ` Its entry asks for "protocol": "${config.protocol}"; "auto" tries both eras.` : "";
    const supported = supportedRevisions(failure);
    return errors.create(
      "PROTOCOL_UNSUPPORTED",
      `speaks no protocol revision that this client speaks: ${errors.excerpt(refusal)}.${pin}`,
      supported === undefined ? {} : { data: { supported: errors.redactData(supported) } },
    );
  }
  if (isJsonRpcError(failure) && failure.data instanceof LostAnswer) {
    return toConnectError(failure.data.error, context);
  }
  if (isJsonRpcError(failure)) {
    const { message, data } = toRequestError(failure, { method: during, idle: 0, total: 0 }, errors);
    return new ToolgateError("HANDSHAKE_FAILED", message, { ...errors.facts, data });
  }
  if (HttpStatusError.from(failure) !== undefined || describeNetworkError(failure) !== undefined) {
    return toRemoteError(failure, during, errors);
  }
  return errors.create("HANDSHAKE_FAILED", `gave an answer to ${during} that is none: ${errors.messageOf(failure)}`);
}

/** Servers that log where their messages belong are the commonest reason for a silence. */
function describeStray(output: string | undefined): string {
  if (output === undefined) return "";
  return `, and wrote to its standard output what is no message: ${JSON.stringify(output)}. Logs belong on standard error`;
}

function stageOf(failure: unknown, { link, spawned }: FailedConnect): ErrorStage {
  if (spawned !== undefined) return link.pid === undefined ? "spawn" : "initialize";
  return HttpStatusError.from(failure) === undefined && describeNetworkError(failure) !== undefined
    ? "connect"
    : "initialize";
}

function toSpawnError(
  failure: unknown,
  spawned: SpawnedServer,
  { config, errors }: Pick<FailedConnect, "config" | "errors">,
): ToolgateError {
  const command = "command" in config ? config.command : "";
  const code = (failure as NodeJS.ErrnoException | undefined)?.code ?? "";
  let why = `The system says: ${errors.messageOf(failure)}`;
  if (code === "ENOENT" && !existsSync(spawned.cwd)) {
    why = `Its working directory ${spawned.cwd} does not exist.`;
  } else if (code === "ENOENT") {
    const directories = searchedDirectories(spawned.env, process.platform);
    why =
      `The command "${command}" was not found (ENOENT). PATH that was searched: ${directories.join(", ")}. ` +
      `Install it, or give its full path as "command" or its folder in "env".PATH.`;
  } else if (code === "EACCES") {
    why = `The command "${command}" is not an executable file (EACCES).`;
  }
  return errors.create("SPAWN_FAILED", `could not be started as: ${errors.target}\n${why}`, {
    data: { code },
  });
}

function isCloseReason(value: unknown): value is CloseReason {
  return isRecord(value) && !(value instanceof Error) && typeof value["kind"] === "string";
}
