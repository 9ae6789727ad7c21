import { ToolgateError } from "@toolgate/contracts";
import { MCPManager } from "@toolgate/mcp-manager";

import type { CommandContext } from "../mcp-commands/command-context.ts";
import type { CommandOutcome } from "../mcp-commands/command-outcome.ts";
import { EXIT_STATUS, failedOutcome, usageOutcome } from "../mcp-commands/command-outcome.ts";
import { runMCPCommand } from "../mcp-commands/run-mcp-command.ts";
import { createCommandAccess } from "../mcp-commands/server-access.ts";
import { saveStart } from "../state/follow-start.ts";
import { createStartStore } from "../state/start-store.ts";
import { isYes } from "../terminal/is-yes.ts";
import { keepStyles } from "../terminal/keep-styles.ts";
import { createStyle } from "../terminal/style.ts";
import { askPerson, readTypedBlock } from "./ask-person.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { readAll } from "./command-line-io.ts";
import type { Host } from "./host.ts";
import { createHost, UsageError } from "./host.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { createStderrLogger } from "./stderr-logger.ts";

const DEFAULT_WIDTH = 100;

/** Carries out one `toolgate mcp …`: starts what it needs, and ends it again whatever happens. */
export async function runMCP(
  { command, options }: Extract<ParsedArguments, { kind: "mcp" }>,
  io: CommandLineIO,
  signal: AbortSignal,
): Promise<CommandOutcome> {
  let host: Host;
  try {
    host = await createHost(options, io, createStderrLogger(io.stderr, io.env));
  } catch (error) {
    return hostFailure(error);
  }
  const context = createContext(host, io, { signal, command: `mcp ${command.name}` });
  // A signal must not wait for a command that waits for a server: what was started is ended, and the command with it.
  const interrupted = new Promise<never>((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
  const running = runMCPCommand(command, context);
  running.catch(() => {});
  try {
    return await Promise.race([running, interrupted]);
  } finally {
    await context.servers.close();
  }
}

/** The outcome of options that cannot be used. */
export function hostFailure(error: unknown): CommandOutcome {
  if (error instanceof UsageError) return usageOutcome(error.message);
  if (ToolgateError.isInstance(error) && error.code === "CONFIG_UNREADABLE") {
    return failedOutcome(error, EXIT_STATUS.unreadable);
  }
  return failedOutcome(error);
}

function createContext(
  host: Host,
  io: CommandLineIO,
  { signal, command }: { signal: AbortSignal; command: string },
): CommandContext {
  const { startupTimeoutMs } = host.options;
  const canAsk = io.stdin.isTTY && io.stderr.isTTY && !host.options.json;
  return {
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    settingsWarnings: host.settingsWarnings,
    providers: host.providers,
    servers: createCommandAccess({
      // The limits are for models; what a command prints is for a person or a program, and whole.
      createManager: async () => new MCPManager(host.cwd, { ...(await host.managerOptions()), outputLimits: false }),
      loadOptions: () => host.loadOptions(),
      beforeEnd: async (manager) => {
        await Promise.all([
          host.logs.finish(manager.describeServers()),
          saveStart(manager, { command, cwd: host.cwd, store: createStartStore(host), logger: host.logger }),
        ]);
      },
      ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
    }),
    trust: host.trust,
    credentials: host.credentials,
    logs: host.logs,
    notify: (text) => io.stderr.write(`${text}\n`),
    ...(host.options.json
      ? {}
      : { emit: (text: string) => io.stdout.write(text === "" ? "" : `${keepStyles(text)}\n`) }),
    style: createStyle({ env: io.env, isTTY: io.stdout.isTTY }),
    width: io.stdout.columns ?? DEFAULT_WIDTH,
    prefix: "toolgate mcp",
    signal,
    now: () => Date.now(),
    readInput: () => (canAsk ? readTypedBlock(io, signal) : readAll(io.stdin)),
    ...(canAsk
      ? {
          confirm: async (question: string) => isYes(await askPerson(`${question} [y/N] `, io, { signal })),
          readLine: (question: string, answered: AbortSignal) =>
            askPerson(question, io, { signal: AbortSignal.any([signal, answered]) }),
          readSecret: (question: string, answered: AbortSignal) =>
            askPerson(question, io, { signal: AbortSignal.any([signal, answered]), secret: true }),
        }
      : {}),
  };
}
