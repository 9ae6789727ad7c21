import { isRecord } from "@toolgate/contracts";

import type { EntryHook } from "../entry-item.ts";
import { createFileProvider } from "../file-provider.ts";
import type { FileScope, ServerGroup } from "../file-provider.ts";
import { baseName } from "../places.ts";

const PROJECT_FOLDER = ".continue/mcpServers";

/** Continue: the list in its configuration, and the project's files of servers. */
export const continueProvider: ReturnType<typeof createFileProvider> = createFileProvider({
  id: "continue",
  displayName: "Continue",
  priority: 35,
  files: {
    user: ({ home, join }) => [join(home, ".continue", "config.yaml")],
    project: [
      { path: PROJECT_FOLDER, below: "*.yaml" },
      { path: PROJECT_FOLDER, below: "*.yml" },
      { path: PROJECT_FOLDER, below: "*.json", servers: findJsonServers, prepare: prepareJsonEntry },
    ],
  },
  references: ["${{ secrets.NAME }}", "${{ inputs.NAME }}"],
  prepare: prepareContinueEntry,
  entry: { fields: { startupTimeout: "connectionTimeout" } },
});

function prepareContinueEntry(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const { requestOptions } = raw;
  const headers = isRecord(requestOptions) ? requestOptions["headers"] : undefined;
  return { entry: headers === undefined ? raw : { headers, ...raw } };
}

/** A map as other clients have it, or one server that has the name of its file. */
function findJsonServers(document: Record<string, unknown>, { path }: FileScope): ServerGroup[] {
  if (Object.hasOwn(document, "mcpServers")) return [{ servers: document["mcpServers"] }];
  if (Object.keys(document).length === 0) return [];
  return [{ servers: { [baseName(path).slice(0, -".json".length)]: document } }];
}

/** In JSON, Continue reads `${NAME}` among the variables and headers as one of its own secrets. */
function prepareJsonEntry(raw: Record<string, unknown>): ReturnType<EntryHook> {
  const translated = ["env", "headers"]
    .filter((field) => Object.hasOwn(raw, field))
    .map((field) => [field, translateReferences(raw[field])] as const);
  return { entry: { ...raw, ...Object.fromEntries(translated) } };
}

function translateReferences(values: unknown): unknown {
  if (!isRecord(values)) return values;
  return Object.fromEntries(
    Object.entries(values).map(([key, value]) => [
      key,
      typeof value === "string" ? value.replaceAll(/\$\{(\w+)\}/g, "${{ secrets.$1 }}") : value,
    ]),
  );
}
