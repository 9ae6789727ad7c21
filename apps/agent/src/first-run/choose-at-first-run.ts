import { ToolgateError } from "@toolgate/contracts";
import { loadAllMCPConfigs } from "@toolgate/mcp-manager";

import type { Host } from "../cli/host.ts";
import { applyChoice, hasChosen } from "./apply-choice.ts";
import type { ForeignServer } from "./foreign-servers.ts";
import { findForeignServers } from "./foreign-servers.ts";
import { askForServers, renderForeignServers } from "./server-choice.ts";

/** How the first run asks. */
export interface FirstRun {
  host: Host;
  /** Columns of the terminal. */
  width: number;
  /** Asks for a line; an empty one when nobody answers any more. */
  readLine: (question: string) => Promise<string>;
  /** Whether the input has ended. */
  hasEnded: () => boolean;
}

/**
 * Asks once, unless `--providers` says where to look, before anything is started, which servers of other clients are to be started; nothing when a person has
 * chosen already or there are none.
 *
 * @returns false when the input ended without an answer: nothing may be started then
 */
export async function chooseAtFirstRun({ host, width, readLine, hasEnded }: FirstRun): Promise<boolean> {
  // Who names the sources has chosen for this once, and sees too little to choose for good.
  if (host.options.providers !== undefined || (await hasChosen(host))) return true;
  const servers = await findServers(host);
  if (servers.length === 0) return true;
  const introduction = [
    "Other clients have MCP servers configured. Which of them shall Toolgate start?",
    "",
    renderForeignServers(servers, { ...host, width }),
    "",
    "You can change it with /mcp choose, /mcp enable and /mcp disable.",
  ].join("\n");
  let chosen: string[] | undefined;
  while (chosen === undefined) {
    // oxlint-disable-next-line no-await-in-loop -- asked until there is an answer
    chosen = await askForServers(servers, introduction, readLine);
    if (chosen === undefined && hasEnded()) return false;
  }
  await applyChoice(chosen, servers, host);
  return true;
}

async function findServers(host: Host): Promise<ForeignServer[]> {
  try {
    const loaded = await loadAllMCPConfigs(host.cwd, await host.loadOptions());
    return findForeignServers(loaded).filter(({ disabled }) => !disabled);
  } catch (error) {
    // A filter that fails keeps the session from starting anything too, and is told about there.
    if (ToolgateError.isInstance(error)) return [];
    throw error;
  }
}
