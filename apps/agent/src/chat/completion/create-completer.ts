import { findTool } from "@toolgate/mcp-manager";

import { APPROVAL_MODES } from "../../approval/approval-mode.ts";
import type { Host } from "../../cli/host.ts";
import { describeMCPCommands } from "../../mcp-commands/describe-commands.ts";
import { readModelSettings } from "../../model/model-settings.ts";
import { providerIds, providerOf } from "../../model/providers.ts";
import type { AgentSession } from "../../session/agent-session.ts";
import { serverNamesOf } from "../../session/server-names.ts";
import { CHAT_COMMANDS } from "../chat-help.ts";
import type { LineCompleter } from "../input/tab-completion.ts";
import type { CompletionSource } from "./complete-input.ts";
import { completeInput } from "./complete-input.ts";
import { ServerOffers } from "./server-offers.ts";

/** Makes what completes the lines of a chat: from its session, the servers of that, and what the settings name. */
export function createCompleter(session: AgentSession, host: SettingsOfHost): LineCompleter {
  const source = createSource(session, host);
  return (line) => completeInput(line, source);
}

type SettingsOfHost = Pick<Host, "cwd" | "providers" | "settings">;

function createSource(session: AgentSession, { cwd, providers, settings }: SettingsOfHost): CompletionSource {
  const { mcpManager: manager } = session;
  const mcpCommands = describeMCPCommands();
  return {
    cwd,
    commands: CHAT_COMMANDS.map(({ name }) => name),
    mcpCommands,
    clients: providers.map(({ id }) => id),
    choices: {
      "/tools": ["off", "on"],
      "/model": listModels(settings.model),
      "/approval": [...APPROVAL_MODES.map(({ mode }) => mode), "forget"],
    },
    servers: () => serverNamesOf(manager),
    tools: () => session.tools.list().map(({ name }) => name),
    schemaOf: (name) => (session.tools.get(name) ?? findTool(session.tools.list(), name))?.parameters,
    offers: manager === undefined ? undefined : new ServerOffers(manager),
  };
}

/** Models that the settings name, and those that providers answer with by themselves. */
function listModels(setting: unknown): string[] {
  const { name, prices } = readModelSettings(setting);
  const own = providerIds.map((id) => `${id}/${providerOf(id).defaultModel ?? ""}`);
  return [...new Set([...(name === undefined ? [] : [name]), ...Object.keys(prices), ...own, "offline"])];
}
