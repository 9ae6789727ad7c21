import { mcpProviders } from "@toolgate/capability-discovery";
import { silentLogger } from "@toolgate/contracts";
import { loadAllMCPConfigs } from "@toolgate/mcp-manager";

import { completeMCP } from "../chat/completion/complete-input.ts";
import { describeMCPCommands } from "../mcp-commands/describe-commands.ts";
import { sanitizeLine } from "../terminal/sanitize-text.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { createHost } from "./host.ts";
import type { ParsedArguments } from "./parse-arguments.ts";
import { listProgramCommands } from "./parse-arguments.ts";

/**
 * Gives what the last of the words may become, for the script of a shell: commands, options, and names of the servers
 * that are configured. Starts nothing, and knows nothing rather than failing.
 */
export async function completeWords(
  { words, options }: Extract<ParsedArguments, { kind: "complete" }>,
  io: CommandLineIO,
): Promise<string[]> {
  const word = words.at(-1) ?? "";
  const [first, ...rest] = words.slice(0, -1);
  const matching = (candidates: readonly string[]): string[] =>
    candidates.filter((candidate) => candidate.startsWith(word) && sanitizeLine(candidate) === candidate);
  const programCommands = listProgramCommands();
  if (first === undefined) return matching(Object.keys(programCommands));
  if (first !== "mcp") return rest.length === 0 ? matching(programCommands[first] ?? []) : [];
  let asksForServers = false;
  const complete = (servers: readonly string[]): readonly string[] =>
    completeMCP(rest, word, {
      mcpCommands: describeMCPCommands(),
      clients: mcpProviders.map(({ id }) => id),
      servers: () => {
        asksForServers = true;
        return servers;
      },
      // They are known once servers run, which a shell does not wait for.
      tools: () => [],
    });
  const candidates = complete([]);
  return matching(asksForServers ? complete(await listServers(options, io)) : candidates);
}

async function listServers(
  options: Extract<ParsedArguments, { kind: "complete" }>["options"],
  io: CommandLineIO,
): Promise<string[]> {
  try {
    const host = await createHost(options, io, silentLogger);
    const { configs, disabled } = await loadAllMCPConfigs(host.cwd, await host.loadOptions());
    return [...Object.keys(configs), ...Object.keys(disabled)].toSorted();
  } catch {
    return [];
  }
}
