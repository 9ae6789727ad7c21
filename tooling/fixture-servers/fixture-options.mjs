/**
 * What a fixture server may be told to do. Everything is optional; without options it is a well-behaved server with the
 * tools of `built-in-tools.mjs`.
 *
 * @typedef {object} FixtureOptions
 * @property {string} [name] of `serverInfo`; default `fixture`
 * @property {string} [version] of `serverInfo`; default `1.0.0`
 * @property {string} [instructions]
 * @property {string} [protocolVersion] answered to `initialize`; default: what the client asked for
 * @property {Record<string, unknown>} [capabilities] default: tools with listChanged, and what else is given here
 * @property {any[]} [tools] definitions in place of the built-in ones, sent as they are; a built-in name keeps its
 *   behaviour, every other tool echoes its arguments
 * @property {number} [toolCount] so many tools named `tool_0`, `tool_1` and so on
 * @property {string} [toolsFile] a JSON file with the definitions, read again for each list
 * @property {number} [toolPages] how many pages the list is split into; default 1
 * @property {"same" | "endless" | "refused"} [badCursor] `same`: every page names the same next cursor; `endless`: there
 *   is always a next page; `refused`: the second page's cursor is answered with an error
 * @property {Record<string, any>} [results] fixed results of `tools/call`, by tool name
 * @property {any[]} [resources] `{ uri, name, text? }`
 * @property {any[]} [resourceTemplates]
 * @property {any[]} [prompts] `{ name, description?, arguments? }`
 * @property {{ start?: number, initialize?: number, list?: number, call?: number }} [delays] milliseconds before the
 *   server reads its input, and before the answers to `initialize`, `tools/list` and `tools/call`
 * @property {"start" | "initialize" | "list" | "call"} [exitAfter] ends at its start, or in place of that answer
 * @property {number} [exitCode] of `exitAfter` and of the tool `crash`; default 1
 * @property {number} [exitCodeAtEnd] at the end of input; default 0
 * @property {string} [stderr] written at the start
 * @property {string[]} [stdoutNoise] lines that are not JSON-RPC, written to stdout at the start
 * @property {boolean} [ignoreEndOfInput] stays alive when its input has ended
 * @property {boolean} [ignoreSigterm] stays alive on SIGTERM (end of input still ends it)
 * @property {boolean | { detached?: boolean, pidFile?: string, clearEnvironment?: boolean }} [spawnChild] starts a child
 *   that ignores everything but SIGKILL and holds stdout open; `detached` puts it in a session of its own
 * @property {number} [notifyListChanged] so many `notifications/tools/list_changed` after `notifications/initialized`
 * @property {any[]} [requestsAfterInitialized] `{ id, method, params }` sent to the client, for example `roots/list`
 * @property {string[]} [neverAnswer] methods
 * @property {Record<string, { code: number, message: string, data?: unknown }>} [failMethods] JSON-RPC errors by method
 * @property {string} [pidFile] the process id is appended, one line per start
 * @property {string} [logFile] one JSON line per received message, `{"event":"end-of-input"}` and `{"event":"exit",…}`
 * @property {Record<string, string>} [waitForFile] by method (`list` and `call` are short for `tools/list` and
 *   `tools/call`): the answer is held back until that file exists
 */
export {};
