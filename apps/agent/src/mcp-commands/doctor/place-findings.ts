import { locateEntry } from "@toolgate/capability-discovery";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { listAllEntries } from "./configured-server.ts";
import type { Finding, FindingDraft } from "./finding.ts";

/** Adds the line of the entry to findings that are about one, where the format of the file has lines to be found. */
export async function placeFindings(drafts: readonly FindingDraft[], loaded: LoadedConfigs): Promise<Finding[]> {
  const entries = listAllEntries(loaded);
  return Promise.all(
    drafts.map(async ({ field, ...finding }): Promise<Finding> => {
      const { server, path, line } = finding;
      if (server === undefined || path === undefined || line !== undefined) return finding;
      const owner = entries.find(({ name, source }) => name === server && source?.path === path);
      if (owner?.entry.definition === undefined) return finding;
      const { definition } = owner.entry;
      const location = { path, name: server, definition, ...(field === undefined ? {} : { field }) };
      return { ...finding, ...(await locateEntry(location)) };
    }),
  );
}
