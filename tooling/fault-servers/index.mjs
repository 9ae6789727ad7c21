/** What tests use of the servers that misbehave: one over standard input and output, one over HTTP. */
import { fileURLToPath } from "node:url";

export { startHttpServer } from "./http-server.mjs";

/**
 * How the stdio server behaves; without anything it is a good one. Its tools are called by name and listed only where
 * `pages` says so:
 *
 * - `echo {text}`, `env`, `pid`, `grandchildren`, `received` (all messages so far) answer with text;
 * - `hang` never answers, `progress {steps, every}` reports each step, `die {code | signal, stderr}` ends the process;
 * - `big {size}` answers with so many characters, `inBytes {text}` byte by byte, `raw {result}` with any result,
 *   `deep {levels}` with nested arrays, `error {code, message}` with an error;
 * - `ask {method, params, id}` sends a request and answers with what came back, `cancelAsked {id}` takes it back,
 *   `notify {method, params}` sends a notification;
 * - `stopReading` leaves what is sent from then on in the pipe, `closeOutput` closes the output and runs on.
 *
 * @typedef {object} StdioFaults
 * @property {string} [protocolVersion] - answered whatever was asked for
 * @property {object} [capabilities] - default `{ tools: {} }`
 * @property {unknown} [initializeResult] - in place of the whole answer
 * @property {object} [initializeError] - a JSON-RPC error in place of the answer
 * @property {boolean} [silent] - never answers `initialize`
 * @property {{ cursor?: string | number, tools: unknown, nextCursor?: unknown }[]} [pages] - of `tools/list`, by cursor
 * @property {boolean | "empty"} [endless] - each page of `tools/list` has one tool, or none, and another next one
 * @property {Record<string, object>} [answers] - results by method
 * @property {string} [stderr] - written at the start
 * @property {number} [exitAtStart] - exit code
 * @property {string[]} [rawOutput] - written at the start, as it is
 * @property {string} [glue] - stands before every message, on its line
 * @property {string} [lineEnd]
 * @property {boolean} [ignoreEnd] - of its input
 * @property {boolean} [ignoreSignals] - SIGTERM, SIGINT and SIGHUP
 * @property {boolean} [countSignals] - writes a line to stderr for each SIGTERM
 * @property {NodeJS.Signals} [resumeOnSignal] - reads again after `stopReading`
 * @property {{ newSession?: boolean, clearEnvironment?: boolean }[]} [grandchildren] - ignore all signals they can
 */

/** Path of the stdio server. */
export const STDIO_SERVER = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));

/**
 * The entry of a stdio server that misbehaves, for a configuration.
 *
 * @param {StdioFaults} [faults]
 * @returns {{ command: string, args: string[] }}
 */
export function faultyStdioServer(faults = {}) {
  return { command: process.execPath, args: [STDIO_SERVER, JSON.stringify(faults)] };
}
