import { sourceOf } from "../capability.ts";
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

/** What a settings file says about servers by their names. */
interface NameLists {
  path: string;
  isProject: boolean;
  allowed: string[];
  excluded: string[];
}

/** Disables what `mcp.excluded` of any file names, and what is absent from an `mcp.allowed` that counts for it. */
async function applyGeminiLists(
  client: GeminiClient,
  items: ServerProviderItem[],
  tools: FinishTools,
): Promise<ServerProviderItem[]> {
  if (items.length === 0) return items;
  const lists = await readNameLists(client, tools);
  return items.map((item) => disableItem(item, findRefusal(item, lists)?.path));
}

function findRefusal(item: ServerProviderItem, lists: readonly NameLists[]): NameLists | undefined {
  const excluding = lists.find(({ excluded }) => excluded.includes(item.name));
  if (excluding !== undefined) return excluding;
  // An empty list of allowed servers allows all.
  const allowing = lists.filter(({ allowed }) => allowed.length > 0);
  const counting = [allowing[0]];
  // A project's list replaces the user's for the project's own servers; it cannot allow what the user does not.
  if (sourceOf(item).level !== "project") counting.push(allowing.find(({ isProject }) => !isProject));
  return counting.find((list) => list?.allowed.includes(item.name) === false);
}

/** In the order in which Gemini CLI lets files win: administrator, project, user, defaults. */
async function readNameLists(client: GeminiClient, tools: FinishTools): Promise<NameLists[]> {
  const { places, projectFolders } = tools;
  const [settings, defaults] = client.system?.(places) ?? [];
  const projects = projectFolders.map((folder) => joinPath(folder, ...client.folder.split("/"), "settings.json"));
  const user = userSettings(client, places);
  const paths = [settings, ...projects.filter((path) => path !== user), user, defaults];
  const read = readSilently(tools);
  return Promise.all(
    paths
      .filter((path) => path !== undefined)
      .map(async (path) => {
        const mcp = readPath(await read(path), ["mcp"]);
        const allowed = toNames(readPath(mcp, ["allowed"]));
        const excluded = toNames(readPath(mcp, ["excluded"]));
        return { path, isProject: path !== user && projects.includes(path), allowed, excluded };
      }),
  );
}

function toNames(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((name) => typeof name === "string") : [];
}
