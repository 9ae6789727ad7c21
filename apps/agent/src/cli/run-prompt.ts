import { createUnattendedApproval } from "../approval/unattended-approval.ts";
import type { AgentEvent } from "../session/agent-event.ts";
import type { AgentModel } from "../session/agent-model.ts";
import { NO_MODEL } from "../session/agent-session.ts";
import { createAgentSession } from "../session/create-agent-session.ts";
import { followStart } from "../state/follow-start.ts";
import { createStartStore } from "../state/start-store.ts";
import { sanitizeText } from "../terminal/sanitize-text.ts";
import type { AppContext } from "./app-context.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { writeText } from "./command-line-io.ts";
import type { Host } from "./host.ts";
import { createHost } from "./host.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { hostFailure } from "./run-mcp.ts";
import { createStderrLogger } from "./stderr-logger.ts";

/** What a prompt is run with. */
export interface PromptRun extends Pick<AppContext, "io" | "signal"> {
  /** What answers. @default none: the status is 1, and the reason is said */
  model?: AgentModel;
}

type PromptArguments = Extract<ParsedArguments, { kind: "prompt" }>;

/**
 * `-p`: answers one prompt on stdout; with `--json` one event per line.
 *
 * @returns the exit status
 */
export async function runPrompt(parsed: PromptArguments, { io, signal, model }: PromptRun): Promise<number> {
  const { options } = parsed;
  let host: Host;
  try {
    host = await createHost(options, io, createStderrLogger(io.stderr, io.env));
  } catch (error) {
    const { text, exitStatus } = hostFailure(error);
    await printEvent({ type: "error", message: text }, parsed, io);
    return exitStatus;
  }
  // Said before servers are started for nothing.
  if (model === undefined) {
    await printEvent({ type: "error", message: NO_MODEL }, parsed, io);
    return 1;
  }
  const { mayRun, approveOutside } = createUnattendedApproval(parsed, host.approval);
  const { startupTimeoutMs = Number.POSITIVE_INFINITY } = options;
  const { session, mcpManager, mcpErrors } = await createAgentSession({
    cwd: host.cwd,
    home: host.home,
    env: host.env,
    platform: host.platform,
    logger: host.logger,
    mcp: { ...(await host.managerOptions()), startupTimeoutMs },
    discoveryOptions: () => host.loadOptions(),
    model,
    mayRun,
    nativeTools: host.settings.tools?.native !== false && { approveOutside },
  });
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
    if (!options.quiet) {
      for (const { error } of mcpErrors) await writeText(io.stderr, `${sanitizeText(error)}\n`);
    }
    let status = 0;
    for await (const event of session.prompt(parsed.text, { signal })) {
      if (event.type === "error") status = 1;
      await printEvent(event, parsed, io);
    }
    return status;
  } finally {
    await endRecording?.();
    await session.dispose();
  }
}

async function printEvent(event: AgentEvent, { options }: PromptArguments, io: CommandLineIO): Promise<void> {
  if (options.json) await writeText(io.stdout, `${JSON.stringify(event)}\n`);
  else if (event.type === "text") await writeText(io.stdout, sanitizeText(event.text));
  else if (event.type === "done") await writeText(io.stdout, "\n");
  else if (event.type === "error") await writeText(io.stderr, `${sanitizeText(event.message)}\n`);
  else if (event.type === "tool-call" && !options.quiet) await writeText(io.stderr, `● ${event.call.name}\n`);
}
