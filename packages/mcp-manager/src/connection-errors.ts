import { ToolgateError } from "@toolgate/contracts";
import type { CloseReason } from "@toolgate/mcp-client";

/** What a call to a server gives after its connection has ended. */
export function notConnectedError(server: string, reason: CloseReason | undefined): ToolgateError {
  const what =
    reason === undefined
      ? `${server} is not connected.`
      : `${server} is not connected any more: ${describeReason(reason)}`;
  return new ToolgateError("NOT_CONNECTED", `${sentence(what)} ${recoveryHint(server)}`, {
    server,
    ...(reason === undefined ? {} : { data: reason }),
  });
}

/** What a call to a tool from the cache gives when its server could not be started. */
export function unavailableError(server: string, error: ToolgateError): ToolgateError {
  if (error.message.includes(recoveryHint(server))) return error;
  return new ToolgateError(error.code, `${sentence(error.message)} ${recoveryHint(server)}`, {
    server,
    cause: error,
    ...(error.stage === undefined ? {} : { stage: error.stage }),
    ...(error.transport === undefined ? {} : { transport: error.transport }),
    ...(error.data === undefined ? {} : { data: error.data }),
  });
}

/** What a call to a tool gives that the server does not have any more. */
export function toolNotFoundError(server: string, tool: string, available: readonly string[]): ToolgateError {
  const has = available.length === 0 ? "It has no tools." : `It has: ${available.join(", ")}.`;
  return new ToolgateError("TOOL_NOT_FOUND", `${server} has no tool "${tool}" any more. ${has}`, {
    server,
    data: { tool, available },
  });
}

/** What a call to a tool gives when its server was configured anew before the call could be sent. */
export function redefinedError(server: string): ToolgateError {
  const message = `${server} has another definition by now; the call was meant for the former one and was not sent.`;
  return new ToolgateError("NOT_CONNECTED", message, { server });
}

/** The error of work that was under way when its server or the manager was closed on purpose. */
export function closedError(server: string): ToolgateError {
  return new ToolgateError("CLOSED", `${server} was disconnected while this was under way.`, { server });
}

/** What a call gives while its server is not started again since that has been tried too often. */
export function circuitOpenError(server: string, blockedForMs: number, last: ToolgateError | undefined): ToolgateError {
  const why = last === undefined ? "" : ` ${sentence(last.message)}`;
  const seconds = Math.ceil(blockedForMs / 1000);
  const message = `${server} was started too often in a short time and is left alone for another ${seconds} s.${why}`;
  const hint = message.includes(recoveryHint(server)) ? "" : ` ${recoveryHint(server)}`;
  return new ToolgateError("NOT_CONNECTED", `${message}${hint}`, {
    server,
    ...(last === undefined ? {} : { cause: last, data: last.data }),
  });
}

function describeReason({ message, stderr = "" }: CloseReason): string {
  return stderr === "" || message.includes(stderr) ? message : `${sentence(message)} It wrote: ${stderr}`;
}

function recoveryHint(server: string): string {
  return `Start it again with /mcp reconnect ${server} or /mcp reload`;
}

function sentence(text: string): string {
  return /[.!?]$/.test(text.trimEnd()) ? text.trimEnd() : `${text.trimEnd()}.`;
}
