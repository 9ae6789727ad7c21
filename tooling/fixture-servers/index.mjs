/** What tests use of the fixture servers. */
import { existsSync, readFileSync } from "node:fs";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * How the stdio fixture behaves; everything is optional, and without anything it is a good server with the tools echo,
 * add, env, pid, cwd, fail, big, crash, hang, sleep and progress. Two requests beside the protocol make it act:
 * `fixture/notify` sends notifications, `fixture/ask` sends a request to the client and answers with the answer.
 *
 * @typedef {object} FixtureOptions
 * @property {string} [name] - of `serverInfo`
 * @property {string} [version]
 * @property {string} [instructions]
 * @property {string} [protocolVersion] - answered whatever was asked for
 * @property {object} [capabilities] - in place of those that follow from the other options
 * @property {boolean} [asks] - lists `ask` and `sample` too: their arguments are the params of a request to the client
 *   (`elicitation/create`, `sampling/createMessage`), its result or error as JSON is their text; `ask` with
 *   the argument `later`, a file, answers at once and asks when the file exists
 * @property {object[]} [tools] - listed as they are, however odd
 * @property {number} [toolCount] - lists so many plain tools
 * @property {string} [toolsFile] - JSON array read anew for each list
 * @property {number} [toolPages] - splits the list
 * @property {boolean} [badCursor] - each page names the same next one
 * @property {{ uri: string, name: string, mimeType?: string, text?: string, blob?: string }[]} [resources]
 * @property {{ uriTemplate: string, name: string }[]} [resourceTemplates]
 * @property {{ name: string, arguments?: { name: string, description?: string, required?: boolean }[], messages?: object[] }[]} [prompts]
 *   - without messages, one that says with what it was filled in
 * @property {Record<string, string[]>} [completions] - values of prompts' arguments and templates' variables, by name
 * @property {{ initialize?: number, list?: number, call?: number }} [delays] - in ms, before each answer
 * @property {Record<string, string>} [waitForFile] - a method is answered once the file exists
 * @property {string[]} [neverAnswer] - methods
 * @property {Record<string, { code: number, message: string }>} [failMethods]
 * @property {"start" | "initialize" | "list" | "call"} [exitAt]
 * @property {number} [exitCode] - default 1
 * @property {string} [stderr] - written at the start
 * @property {string[]} [stdoutNoise] - written at the start, as it is
 * @property {boolean} [ignoreEndOfInput]
 * @property {boolean} [ignoreSigterm]
 * @property {{ pidFile: string, detached?: boolean }} [grandchild] - ignores every signal that can be ignored
 * @property {number} [notifyListChanged] - so many notifications after initialize
 * @property {boolean} [notifyOnList] - says after each list of tools that it changed
 * @property {string} [pidFile]
 * @property {string} [logFile] - gets every received message as a line of JSON
 */

const stdioServer = fileURLToPath(new URL("stdio-server.mjs", import.meta.url));

/**
 * The entry of a stdio fixture, for a configuration.
 *
 * @param {FixtureOptions} [options]
 * @returns {{ command: string, args: string[] }}
 */
export function fixtureServer(options = {}) {
  return { command: process.execPath, args: [stdioServer, JSON.stringify(options)] };
}

const eraServerPath = fileURLToPath(new URL("era-server.mjs", import.meta.url));

/**
 * How the fixture of revision 2026-07-28 behaves.
 *
 * @typedef {object} EraOptions
 * @property {"serve" | "reject"} [legacy] - how the initialize era is met; `reject` makes it modern-only
 * @property {string} [logFile] - gets the method of each message, a line each
 * @property {boolean} [oddTool] - lists one tool whose schema the SDK does not accept
 */

/**
 * The entry of a stdio server made with the SDK of revision 2026-07-28.
 *
 * @param {EraOptions} [options]
 * @returns {{ command: string, args: string[] }}
 */
export function eraServer(options = {}) {
  return { command: process.execPath, args: [eraServerPath, JSON.stringify(options)] };
}

/**
 * The methods that an era server has received, in order.
 *
 * @param {string} logFile
 */
export function loggedMethods(logFile) {
  return existsSync(logFile) ? readFileSync(logFile, "utf8").split("\n").filter(Boolean) : [];
}

/** A directory that is removed when the returned object is disposed of. */
export async function temporaryDirectory() {
  const path = await realpath(await mkdtemp(join(tmpdir(), "toolgate-test-")));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/**
 * Waits until something holds, looking again in short intervals; what cannot be subscribed to is waited for this way.
 *
 * @template T
 * @param {() => T | Promise<T>} look
 * @param {string} what - for the error
 * @returns {Promise<NonNullable<T>>} the first truthy value
 */
export async function waitFor(look, what) {
  for (let attempt = 0; attempt < 1500; attempt += 1) {
    const value = await look();
    if (value) return value;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`Waited in vain for: ${what}`);
}

/**
 * Whether a process runs; a zombie does not.
 *
 * @param {number} pid
 */
export function processIsAlive(pid) {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    // No /proc here, or it has just ended; the signal is the better witness.
    return process.platform !== "linux";
  }
}

/**
 * The messages that a fixture with `logFile` has received; none as long as it has not begun to write.
 *
 * @param {string} logFile
 * @returns {{ id?: unknown, method?: string, params?: any }[]}
 */
export function receivedMessages(logFile) {
  if (!existsSync(logFile)) return [];
  return readFileSync(logFile, "utf8")
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line));
}
