import { createUnattendedApproval } from "../approval/unattended-approval.ts";
import { EXIT_STATUS } from "../mcp-commands/command-outcome.ts";
import { narrowTools } from "../model/narrow-tools.ts";
import { UsageTotal } from "../model/usage-total.ts";
import type { AgentEvent } from "../session/agent-event.ts";
import type { AgentModel } from "../session/agent-model.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { CreateAgentSessionResult } from "../session/create-agent-session.ts";
import { createAgentSession } from "../session/create-agent-session.ts";
import { followStart } from "../state/follow-start.ts";
import { createStartStore } from "../state/start-store.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { AppContext } from "./app-context.ts";
import { awaitServers } from "./await-servers.ts";
import { chooseHostModel } from "./choose-host-model.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { readAll, writeText } from "./command-line-io.ts";
import type { Host } from "./host.ts";
import { createHost, UsageError } from "./host.ts";
import type { PromptArguments } from "./parse-arguments.ts";
import { hostFailure } from "./run-mcp.ts";
import { createStderrLogger } from "./stderr-logger.ts";

/** What a prompt is run with. */
export interface PromptRun extends Pick<AppContext, "io" | "signal"> {
  /** What answers. @default the one that options, settings and the environment choose */
  model?: AgentModel;
}

/**
 * `-p`: answers one prompt on stdout; with `--json` one event per line, as `schema/agent-event.schema.json` has them.
 *
 * @returns the exit status
 */
export async function runPrompt(parsed: PromptArguments, run: PromptRun): Promise<number> {
  const { io, signal } = run;
  const { options } = parsed;
  let prepared: { host: Host; text: string; model: AgentModel };
  try {
    const host = await createHost(options, io, createStderrLogger(io.stderr, io.env));
    const text = await readPrompt(parsed, io);
    // Before servers are started for nothing.
    const model = run.model ?? (await chooseHostModel(host, signal)).model;
    prepared = { host, text, model: narrowTools(model, options.tools) };
  } catch (error) {
    const { text, exitStatus } = hostFailure(error);
    await printEvent({ type: "error", message: text }, parsed, io);
    return exitStatus;
  }
  const { host, text, model } = prepared;
  const { session, mcpManager, mcpErrors } = await startSession(host, model, parsed);
  const endRecording =
    mcpManager === undefined
      ? undefined
      : followStart(mcpManager, {
          command: "prompt",
          cwd: host.cwd,
          store: createStartStore(host),
          logger: host.logger,
        });
  try {
    await warn(
      mcpErrors.map(({ error }) => error),
      parsed,
      io,
    );
    const { warnings, missing } = await awaitServers(session, parsed, signal);
    await warn(warnings, parsed, io);
    if (missing !== undefined) {
      const message = `The server ${missing.name} is required and is not there: ${missing.reason}`;
      await printEvent({ type: "error", message }, parsed, io);
      return missing.needsPerson ? EXIT_STATUS.needsConsent : EXIT_STATUS.failed;
    }
    return await answer(session, { parsed, io, signal, text });
  } finally {
    await endRecording?.();
    await host.logs.finish(mcpManager?.describeServers() ?? []);
    await session.dispose();
  }
}

async function readPrompt({ text }: PromptArguments, io: CommandLineIO): Promise<string> {
  if (text === undefined && io.stdin.isTTY) {
    throw new UsageError('-p needs a prompt: toolgate -p "…", or one on standard input.');
  }
  const prompt = text ?? (await readAll(io.stdin));
  if (prompt.trim() === "") throw new UsageError("The prompt is empty.");
  return prompt;
}

async function startSession(host: Host, model: AgentModel, parsed: PromptArguments): Promise<CreateAgentSessionResult> {
  const { startupTimeoutMs } = host.options;
  const { mayRun, approveOutside } = createUnattendedApproval(parsed, host.approval);
  return createAgentSession({
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    logger: host.logger,
    mcp: {
      ...(await host.managerOptions()),
      ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
      // Those whose tools nobody knows are waited for afterwards, and not without end.
      uncachedPending: "defer",
    },
    discoveryOptions: () => host.loadOptions(),
    model,
    mayRun,
    nativeTools: host.settings.tools?.native !== false && { approveOutside },
  });
}

async function answer(
  session: AgentSession,
  { parsed, io, signal, text }: { parsed: PromptArguments; io: CommandLineIO; signal: AbortSignal; text: string },
): Promise<number> {
  const total = new UsageTotal();
  let status: number = EXIT_STATUS.fine;
  let isLineOpen = false;
  for await (const event of session.prompt(text, { signal })) {
    if (event.type === "error") status = EXIT_STATUS.failed;
    if (event.type === "usage") total.add(event.usage);
    // What is said before a call and what is said after it are different lines.
    if (event.type === "tool-call" && isLineOpen && !parsed.options.json) await writeText(io.stdout, "\n");
    if (event.type === "text") isLineOpen = !event.text.endsWith("\n");
    else if (event.type === "tool-call") isLineOpen = false;
    await printEvent(event, parsed, io);
  }
  const cost = total.describeCost();
  if (cost !== undefined) await warn([cost], parsed, io);
  return status;
}

async function warn(texts: readonly string[], { options }: PromptArguments, io: CommandLineIO): Promise<void> {
  if (options.quiet) return;
  for (const text of texts) await writeText(io.stderr, `${sanitizeText(text)}\n`);
}

async function printEvent(event: AgentEvent, parsed: PromptArguments, io: CommandLineIO): Promise<void> {
  if (parsed.options.json) await writeText(io.stdout, `${JSON.stringify(event)}\n`);
  else if (event.type === "text") await writeText(io.stdout, sanitizeText(event.text));
  else if (event.type === "done") await writeText(io.stdout, "\n");
  else if (event.type === "error") await writeText(io.stderr, `${sanitizeText(event.message)}\n`);
  else if (event.type === "warning") await warn([event.message], parsed, io);
  else if (event.type === "tool-call") await warn([`● ${event.call.name}`], parsed, io);
}
