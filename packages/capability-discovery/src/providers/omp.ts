import { createFileProvider } from "../file-provider.ts";
import type { FinishTools, ServerProviderItem } from "../file-provider.ts";
import type { Places } from "../places.ts";
import { prepareBearerToken } from "./bearer-token.ts";
import { disableItem, readSilently } from "./disable-item.ts";

/** oh-my-pi. The `mcp.json` of a project, which it reads too, belongs to the provider `mcp-json`. */
export const ompProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "omp",
  displayName: "oh-my-pi",
  priority: 28,
  files: {
    user: (places) => [userFile(places)],
    project: [".omp/mcp.json"],
  },
  references: ["${NAME}"],
  prepare: prepareBearerToken,
  writing: { transports: { stdio: "stdio", http: "http", sse: "sse" }, reference: "${NAME}" },
  finish: applyDisabledServers,
});

function userFile({ home, join }: Places): string {
  return join(home, ".omp", "agent", "mcp.json");
}

/** `disabledServers` of the user's file switches off servers of every file. */
async function applyDisabledServers(items: ServerProviderItem[], tools: FinishTools): Promise<ServerProviderItem[]> {
  const path = userFile(tools.places);
  const names: unknown = (await readSilently(tools)(path))?.["disabledServers"];
  if (!Array.isArray(names)) return items;
  return items.map((item) => disableItem(item, names.includes(item.name) ? path : undefined));
}
