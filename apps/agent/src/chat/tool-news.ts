import { isDeepStrictEqual } from "node:util";

import type { AgentTool } from "@toolgate/contracts";
import type { Clock, MCPManager, MCPManagerEvent, ServerTool } from "@toolgate/mcp-manager";
import { isServerTool, systemClock } from "@toolgate/mcp-manager";

import { describeFailure } from "../mcp-commands/describe-failure.ts";
import type { AgentSession } from "../session/agent-session.ts";
import { serverNamesOf } from "../session/server-names.ts";
import type { PathPlaces } from "../terminal/format.ts";
import { formatCount } from "../terminal/format.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";

/** Milliseconds in which changes are gathered into one line: servers that start together arrive together. */
const BURST_MS = 150;

/** The tools of each server, by name. */
type ToolsByServer = ReadonlyMap<string, ReadonlyMap<string, ServerTool>>;

/** What {@link ToolNews} works with. */
export interface ToolNewsOptions {
  session: Pick<AgentSession, "tools">;
  manager: MCPManager;
  print: (text: string) => void;
  places: PathPlaces;
  /** Decides how long a burst is. @default the process's own */
  clock?: Pick<Clock, "schedule">;
}

/**
 * Tells in quiet lines what happens to a session's tools beside the conversation: one for each burst of changes, nothing
 * when the tools are the same as before, and one for each server that failed. The model needs no such line: it gets the
 * list itself.
 */
export class ToolNews {
  readonly #options: ToolNewsOptions;
  readonly #stopFollowing: () => void;
  /** What people know of. */
  #told: ToolsByServer;
  #commands = 0;
  #cancelTimer: (() => void) | undefined;

  /** Tools that the session has by now count as told. */
  constructor(options: ToolNewsOptions) {
    this.#options = options;
    this.#told = groupByServer(options.session.tools.list());
    this.#stopFollowing = options.manager.subscribe((event) => this.#follow(event));
  }

  /** Runs a command of a person. A server that it takes out is no news: the command says so itself. */
  async during<T>(command: () => Promise<T>): Promise<T> {
    this.#commands += 1;
    try {
      return await command();
    } finally {
      this.#commands -= 1;
      const configured = new Set(serverNamesOf(this.#options.manager));
      this.#told = new Map([...this.#told].filter(([server]) => configured.has(server)));
      // The session may have got its tools after the burst, at the end of a reload.
      this.#tellSoon();
    }
  }

  /** Ends the news. Idempotent. */
  stop(): void {
    this.#stopFollowing();
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }

  #follow(event: MCPManagerEvent): void {
    if (event.type === "late-error") {
      const server = this.#options.manager.describeServers().find(({ name }) => name === event.server);
      this.#options.print(describeFailure(server ?? { name: event.server, error: event.error }, this.#options.places));
    }
    if (event.type !== "tools-changed") return;
    this.#tellSoon();
  }

  #tellSoon(): void {
    const { schedule } = this.#options.clock ?? systemClock;
    this.#cancelTimer ??= schedule(() => this.#tell(), BURST_MS);
  }

  #tell(): void {
    this.#cancelTimer = undefined;
    const now = groupByServer(this.#options.session.tools.list());
    // What seems to be gone may be back at the end of the command, or is what the command was for.
    const gone = this.#commands === 0 ? [] : [...this.#told].filter(([server]) => !now.has(server));
    const known = new Map([...now, ...gone]);
    const line = describeToolNews(this.#told, known);
    this.#told = known;
    if (line !== "") this.#options.print(line);
  }
}

/**
 * One line for what is different: `+ docs (11 tools)  ~ db (2 new, 1 gone, 1 changed)  - old`; empty when nothing is.
 *
 * @param before - Tools by server and name.
 */
export function describeToolNews(before: ToolsByServer, after: ToolsByServer): string {
  const arrived: string[] = [];
  const changed: string[] = [];
  for (const [server, tools] of after) {
    const former = before.get(server);
    if (former === undefined) arrived.push(`${sanitizeLine(server)} (${formatCount(tools.size, "tool")})`);
    else {
      const change = describeChange(former, tools);
      if (change !== "") changed.push(`${sanitizeLine(server)} (${change})`);
    }
  }
  const vanished = [...before.keys()].filter((server) => !after.has(server)).map(sanitizeLine);
  const groups = [
    ["+", arrived],
    ["~", changed],
    ["-", vanished],
  ] as const;
  return groups
    .filter(([, servers]) => servers.length > 0)
    .map(([sign, servers]) => `${sign} ${servers.join(", ")}`)
    .join("  ");
}

/** The tools of servers among others, by server and name. */
export function groupByServer(tools: readonly AgentTool[]): ToolsByServer {
  const servers = new Map<string, Map<string, ServerTool>>();
  for (const tool of tools) {
    if (!isServerTool(tool)) continue;
    const known = servers.get(tool.server) ?? new Map<string, ServerTool>();
    servers.set(tool.server, known.set(tool.name, tool));
  }
  return servers;
}

function describeChange(before: ReadonlyMap<string, ServerTool>, after: ReadonlyMap<string, ServerTool>): string {
  const count = (tools: ReadonlyMap<string, ServerTool>, isMeant: (tool: ServerTool) => boolean): number =>
    [...tools.values()].filter(isMeant).length;
  const counts = [
    [count(after, ({ name }) => !before.has(name)), "new"],
    [count(before, ({ name }) => !after.has(name)), "gone"],
    [count(after, (tool) => isOther(before.get(tool.name), tool)), "changed"],
  ] as const;
  return counts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${number} ${word}`)
    .join(", ");
}

// A tool of the cache and the same one of its server are different objects.
function isOther(before: ServerTool | undefined, after: ServerTool): boolean {
  return before !== undefined && before !== after && !isDeepStrictEqual(shownOf(before), shownOf(after));
}

function shownOf({ label, description, parameters, annotations }: ServerTool): unknown {
  return { label, description, parameters, annotations };
}
