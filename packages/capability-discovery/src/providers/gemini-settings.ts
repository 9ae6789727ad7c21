import { isRecord } from "@toolgate/contracts";

import type { CapabilityProvider } from "../capability.ts";
import type { EntryHook } from "../entry-item.ts";
import { createFileProvider, readPath } from "../file-provider.ts";
import type { FinishTools, ServerGroup, ServerProviderItem } from "../file-provider.ts";
import { joinPath } from "../places.ts";
import type { Places } from "../places.ts";
import type { MCPServerItem } from "../server-item.ts";
import type { WriteRules } from "../write-rules.ts";
import { disableItem, readSilently } from "./disable-item.ts";
import { splitCommand } from "./split-command.ts";

/** A client whose `settings.json` has the shape of Gemini CLI's. */
export interface GeminiClient {
  id: string;
  /** The product's own name. */
  displayName: string;
  priority: number;
  /** Folder of the settings, in the home directory and in a project; with `/`. */
  folder: string;
  /** Files of the machine's administrator: the settings, which Gemini CLI lets win, and the defaults, which lose. */
  system?(places: Places): readonly [settings: string, defaults: string];
  writing: WriteRules;
}

/** Gemini CLI names the server of `mcp.serverCommand` so. */
const COMMAND_SERVER = "mcp";

/** How entries are written for relatives that left Gemini CLI before `type` came; they know `httpUrl`. */
export const geminiForkWriting: WriteRules = {
  transports: { stdio: true, http: true },
  fields: {
    url: "httpUrl",
    cwd: "cwd",
    timeout: "timeout",
    includeTools: "includeTools",
    excludeTools: "excludeTools",
  },
  reference: "${NAME}",
};

/** Makes the provider of a client that shares Gemini CLI's settings. */
export function createGeminiProvider(client: GeminiClient): CapabilityProvider<MCPServerItem> {
  const { id, displayName, priority, writing } = client;
  return createFileProvider({
    id,
    displayName,
    priority,
    files: {
      user: (places) => [userSettings(client, places)],
      project: [`${client.folder}/settings.json`],
      system: (places) => client.system?.(places) ?? [],
    },
    servers: listGeminiServers,
    references: ["${NAME}", "$NAME"],
    windowsReferences: ["%NAME%"],
    unset: "empty",
    entry: { fields: { url: ["httpUrl", "url"] } },
    prepare: prepareGeminiEntry,
    writing: { key: "mcpServers", ...writing },
    finish: (items, tools) => applyGeminiLists(client, items, tools),
  });
}

function userSettings({ folder }: GeminiClient, { home }: Places): string {
  return joinPath(home, ...folder.split("/"), "settings.json");
}

function listGeminiServers(document: Record<string, unknown>): ServerGroup[] {
  const serverCommand = readPath(document, ["mcp", "serverCommand"]);
  const groups: ServerGroup[] = [{ servers: document["mcpServers"] }];
  if (typeof serverCommand === "string" && serverCommand.trim() !== "") {
    groups.unshift({ servers: { [COMMAND_SERVER]: { serverCommand } }, origin: "mcp.serverCommand" });
  }
  return groups;
}

/** `trust` is left out: it would spare tools an approval that is Toolgate's to ask for. */
const prepareGeminiEntry: EntryHook = (raw, { warn }) => {
  const { serverCommand, includeTools, ...entry } = raw;
  if (typeof serverCommand === "string") {
    const [command, ...args] = splitCommand(serverCommand) ?? [];
    return command === undefined
      ? { unsupported: '"mcp.serverCommand" needs a shell; declare the server in "mcpServers"' }
      : { entry: { command, args } };
  }
  if (typeof raw["tcp"] === "string") return { unsupported: 'the transport "tcp"' };
  const provider = raw["authProviderType"];
  if (provider !== undefined && provider !== "dynamic_discovery") {
    warn(`"authProviderType" ${JSON.stringify(provider)} is not supported; the server is used without it`);
  }
  return {
    entry: {
      ...entry,
      ...(typeof raw["httpUrl"] === "string" ? { type: "http" } : {}),
      ...(includeTools === undefined ? {} : { includeTools: withoutArguments(includeTools) }),
    },
  };
};

/** Gemini CLI accepts `name(arguments)` where a tool is meant. */
function withoutArguments(tools: unknown): unknown {
  if (!Array.isArray(tools)) return tools;
  return tools.map((tool: unknown) => (typeof tool === "string" ? tool.replace(/\(.*$/s, "").trim() : tool));
}

/**
 * Disables what `mcp.excluded` of any file names, and what is absent from the `mcp.allowed` that counts: that of the
 * administrator, else of the project, else of the user.
 */
async function applyGeminiLists(
  client: GeminiClient,
  items: ServerProviderItem[],
  tools: FinishTools,
): Promise<ServerProviderItem[]> {
  if (items.length === 0) return items;
  const { places, projectFolders } = tools;
  const [settings, defaults] = client.system?.(places) ?? [];
  const paths = [
    settings,
    ...projectFolders.map((folder) => joinPath(folder, ...client.folder.split("/"), "settings.json")),
    userSettings(client, places),
    defaults,
  ].filter((path) => path !== undefined);
  const read = readSilently(tools);
  const lists = await Promise.all(
    paths.map(async (path) => {
      const document = await read(path);
      const mcp = isRecord(document?.["mcp"]) ? document["mcp"] : {};
      return { path, allowed: toNames(mcp["allowed"]), excluded: toNames(mcp["excluded"]) };
    }),
  );
  // An empty list of allowed servers allows all.
  const allowing = lists.find(({ allowed }) => allowed.length > 0);
  return items.map((item) => {
    const excluding = lists.find(({ excluded }) => excluded.includes(item.name));
    const isAllowed = allowing?.allowed.includes(item.name) ?? true;
    return disableItem(item, excluding?.path ?? (isAllowed ? undefined : allowing?.path));
  });
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
