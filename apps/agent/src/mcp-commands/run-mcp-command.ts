import { ToolgateError } from "@toolgate/contracts";

import type { CommandContext } from "./command-context.ts";
import type { CommandOutcome } from "./command-outcome.ts";
import { EXIT_STATUS, failedOutcome } from "./command-outcome.ts";
import type { MCPCommand } from "./mcp-command.ts";

/**
 * Carries a `/mcp` command out: the one controller of the chat, the command line and the tests. Each command is loaded
 * when it is used. What goes wrong is an outcome; only an abort rejects.
 */
export async function runMCPCommand(command: MCPCommand, context: CommandContext): Promise<CommandOutcome> {
  try {
    return await dispatch(command, context);
  } catch (error) {
    if (context.signal.aborted) throw error;
    if (ToolgateError.isInstance(error)) return failedOutcome(error);
    return failedOutcome(error, EXIT_STATUS.failed);
  }
}

async function dispatch(command: MCPCommand, context: CommandContext): Promise<CommandOutcome> {
  switch (command.name) {
    case "list":
      return (await import("./commands/list.ts")).listServers(context);
    case "tools":
      return (await import("./commands/tools.ts")).listTools(command.server, context);
    case "call":
      return (await import("./commands/call.ts")).callTool(command, context);
    case "sources":
      return (await import("./commands/sources.ts")).listSources(context);
    case "resources":
      return (await import("./commands/resources.ts")).listAllResources(command.server, context);
    case "read":
      return (await import("./commands/resources.ts")).readOneResource(command, context);
    case "prompts":
      return (await import("./commands/prompts.ts")).listAllPrompts(command.server, context);
    case "prompt":
      return (await import("./commands/prompts.ts")).getOnePrompt(command, context);
    case "add":
      return (await import("./commands/add.ts")).addOneServer(command, context);
    case "add-pasted":
      return (await import("./commands/add-pasted.ts")).addPastedServers(command, context);
    case "add-asked":
      return (await import("./commands/add-asked.ts")).askForServer(command, context);
    case "copy":
      return (await import("./commands/copy.ts")).copyOneServer(command, context);
    case "remove":
      return (await import("./commands/remove.ts")).removeOneServer(command, context);
    case "enable":
      return (await import("./commands/enable.ts")).enableServer(command, context);
    case "disable":
      return (await import("./commands/enable.ts")).disableServer(command, context);
    case "test":
      return (await import("./commands/test.ts")).testServers(command, context);
    case "logs":
      return (await import("./commands/logs.ts")).showLogs(command, context);
    case "auth":
      return (await import("./commands/auth.ts")).signInToServer(command.server, context);
    case "logout":
      return (await import("./commands/auth.ts")).signOutOfServer(command.server, context);
    case "trust":
      return (await import("./commands/trust.ts")).trustServers(command, context);
    case "choose":
      return (await import("./commands/choose.ts")).chooseServers(command, context);
    case "doctor":
      return (await import("./commands/doctor.ts")).diagnose(context);
    case "trace":
      return (await import("./commands/trace.ts")).traceStart(command, context);
    case "reload":
      return (await import("./commands/reload.ts")).reloadServers(context);
    case "reconnect":
      return (await import("./commands/reload.ts")).reconnectServer(command.server, context);
    default:
      return command satisfies never;
  }
}
