import type { ContentBlock } from "@toolgate/contracts";

import { createUnattendedApproval } from "../approval/unattended-approval.ts";
import { readMentions } from "../chat/mentions/read-mentions.ts";
import { EXIT_STATUS } from "../mcp-commands/command-outcome.ts";
import { narrowTools } from "../model/narrow-tools.ts";
import { UsageTotal } from "../model/usage-total.ts";
import type { AgentModel } from "../session/agent-model.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { CreateAgentSessionResult } from "../session/create-agent-session.ts";
import { createAgentSession } from "../session/create-agent-session.ts";
import { followStart } from "../state/follow-start.ts";
import { createStartStore } from "../state/start-store.ts";
import type { AppContext } from "./app-context.ts";
import { awaitPromptServers } from "./await-prompt-servers.ts";
import { chooseHostModel } from "./choose-host-model.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { readAll } from "./command-line-io.ts";
import { EventPrinter } from "./event-printer.ts";
import type { Host } from "./host.ts";
import { createHost, UsageError } from "./host.ts";
import type { PromptArguments } from "./parse-arguments.ts";
import { hostFailure } from "./run-mcp.ts";
import { sessionOptionsOf } from "./session-options-of-host.ts";
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
  const printer = new EventPrinter(io, options);
  let prepared: { host: Host; text: string; model: AgentModel };
  try {
    const host = await createHost(options, io, createStderrLogger(io.stderr, io.env));
    const text = await readPrompt(parsed, io);
    // Before servers are started for nothing.
    const model = run.model ?? (await chooseHostModel(host, signal)).model;
    prepared = { host, text, model: narrowTools(model, options.tools) };
  } catch (error) {
    const { text, exitStatus } = hostFailure(error);
    await printer.print({ type: "error", message: text });
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
    for (const { error } of mcpErrors) await printer.note(error);
    const { warnings, missing } = await awaitPromptServers(session, parsed, signal);
    for (const warning of warnings) await printer.note(warning);
    if (missing !== undefined) {
      const message = `The server ${missing.name} is required and is not there: ${missing.reason}`;
      await printer.print({ type: "error", message });
      return missing.needsPerson ? EXIT_STATUS.needsConsent : EXIT_STATUS.failed;
    }
    const scope = { cwd: host.cwd, manager: mcpManager, signal, timeoutMs: parsed.mcpTimeoutMs };
    const { attachments, problems } = await readMentions(text, scope);
    for (const message of problems) await printer.print({ type: "error", message });
    if (problems.length > 0) return EXIT_STATUS.failed;
    return await answer(session, { printer, signal, text, attachments });
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
    ...sessionOptionsOf(host, { mayRun, approveOutside }),
    model,
    mcp: {
      ...(await host.managerOptions()),
      ...(startupTimeoutMs === undefined ? {} : { startupTimeoutMs }),
      // Those whose tools nobody knows are waited for afterwards, and not without end.
      uncachedPending: "defer",
    },
  });
}

interface Answering {
  printer: EventPrinter;
  signal: AbortSignal;
  text: string;
  attachments: readonly ContentBlock[];
}

async function answer(session: AgentSession, { printer, signal, text, attachments }: Answering): Promise<number> {
  const total = new UsageTotal();
  let status: number = EXIT_STATUS.fine;
  // They have been waited for.
  for await (const event of session.prompt(text, { signal, attachments, waitForServersMs: 0 })) {
    if (event.type === "error") status = EXIT_STATUS.failed;
    if (event.type === "usage") total.add(event.usage);
    await printer.print(event);
  }
  const usage = total.describe();
  if (usage !== undefined) await printer.note(usage);
  return status;
}
