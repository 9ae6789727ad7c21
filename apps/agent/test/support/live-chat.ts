import { mcpProviders } from "@toolgate/capability-discovery";

import { fixtureServer } from "../../../../tooling/fixture-servers/index.mjs";
import { parseChatLine } from "../../src/cli/parse-arguments.ts";
import type { CommandContext } from "../../src/mcp-commands/command-context.ts";
import type { CommandOutcome } from "../../src/mcp-commands/command-outcome.ts";
import { usageOutcome } from "../../src/mcp-commands/command-outcome.ts";
import { runMCPCommand } from "../../src/mcp-commands/run-mcp-command.ts";
import { createSessionAccess } from "../../src/mcp-commands/server-access.ts";
import { ServerLogs } from "../../src/server-logs/server-logs.ts";
import type { AgentSession } from "../../src/session/agent-session.ts";
import { createAgentSession } from "../../src/session/create-agent-session.ts";
import { discoveryOptionsOf, loadSettings } from "../../src/settings/load-settings.ts";
import { createCredentials } from "../../src/state/credentials.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import { createProjectApproval, trustSubjectOf } from "../../src/trust/project-approval.ts";
import { createTrustStore } from "../../src/trust/trust-store.ts";
import type { Scratch } from "./scratch.ts";

/** A session with the commands of a chat around it. */
export interface LiveChat extends AsyncDisposable {
  session: AgentSession;
  /** What a person types after `/mcp`. */
  run(line: string): Promise<CommandOutcome>;
  /** Names of a server's tools in the session. */
  toolsOf(server: string): string[];
  pidOf(server: string): Promise<number>;
  fixture: typeof fixtureServer;
  /** What was told while commands ran. */
  notices: readonly string[];
  /** What a person was asked. */
  asked: readonly string[];
}

/** What a chat is made with. */
export interface LiveChatOptions {
  /** Run before the session is made; what it declares is approved. */
  before?: () => Promise<unknown>;
  /** What a person answers to one question after the other, and then interrupts. @default nobody is there */
  answers?: string[];
  /** What a person pastes. */
  input?: string;
}

/** Makes a session in a scratch project, with approvals on, as the app has them. */
export async function createLiveChat(
  scratch: Scratch,
  { before, answers, input }: LiveChatOptions = {},
): Promise<LiveChat> {
  await before?.();
  const places = { cwd: scratch.project, home: scratch.home, env: scratch.env, platform: process.platform };
  const trust = createTrustStore(places);
  const logs = new ServerLogs(places);
  const { session, mcpManager } = await createAgentSession({
    ...places,
    mcp: { approve: createProjectApproval(trust), onMessage: logs.record },
  });
  if (mcpManager === undefined) throw new Error("the session has no manager");
  const loadOptions = async () => discoveryOptionsOf((await loadSettings(places)).settings);
  const notices: string[] = [];
  const context: CommandContext = {
    ...places,
    settingsWarnings: [],
    providers: mcpProviders,
    servers: createSessionAccess(mcpManager, loadOptions),
    session,
    trust,
    credentials: createCredentials(places),
    logs,
    notify: (text) => void notices.push(text),
    style: plainStyle,
    width: 100,
    prefix: "/mcp",
    signal: new AbortController().signal,
    now: () => Date.now(),
    readInput: () => (input === undefined ? Promise.reject(new Error("no input here")) : Promise.resolve(input)),
  };
  const asked: string[] = [];
  const run = async (line: string): Promise<CommandOutcome> => {
    const parsed = parseChatLine(line);
    if (parsed.kind === "mcp") return runMCPCommand(parsed.command, { ...context, ...personOf() });
    return usageOutcome(parsed.kind === "usage" ? parsed.message : parsed.kind);
  };
  if (before !== undefined) await approveAll();

  function personOf(): Partial<CommandContext> {
    if (answers === undefined) return {};
    const interruption = new AbortController();
    const readLine = async (question: string): Promise<string> => {
      asked.push(question);
      const answer = answers.shift();
      if (answer !== undefined) return answer;
      interruption.abort(new DOMException("Interrupted.", "AbortError"));
      throw interruption.signal.reason as Error;
    };
    return {
      signal: interruption.signal,
      readLine,
      confirm: async (question) => (await readLine(question)) === "yes",
    };
  }

  async function approveAll(): Promise<void> {
    const loaded = await context.servers.load();
    const names = Object.keys(loaded.configs);
    await trust.approve(
      names.map((name) =>
        trustSubjectOf({
          name,
          config: loaded.configs[name] ?? { command: "" },
          definition: loaded.entries[name]?.definition,
          ...(loaded.sources[name] === undefined ? {} : { source: loaded.sources[name] }),
        }),
      ),
    );
    await session.reloadMCP();
  }

  return {
    session,
    run,
    toolsOf: (server) =>
      session.tools
        .list()
        .map((tool) => tool.name)
        .filter((name) => name.startsWith(`mcp_${server}_`)),
    async pidOf(server) {
      const result = await session.tools.get(`mcp_${server}_pid`)?.execute({});
      return Number(Reflect.get(result?.content[0] ?? {}, "text"));
    },
    fixture: fixtureServer,
    asked,
    notices,
    async [Symbol.asyncDispose]() {
      await logs.finish(mcpManager.describeServers());
      await session.dispose();
    },
  };
}
