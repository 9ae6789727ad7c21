import {
  findDeclaredPlace,
  findNativeUserFile,
  findWriteTarget,
  listWritableProviders,
} from "@toolgate/capability-discovery";
import type { AddServerOptions, DeclaredPlace } from "@toolgate/capability-discovery";
import type { SourceMeta } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";

import type { CommandContext } from "./command-context.ts";
import type { WriteScope } from "./mcp-command.ts";
import { suggestNearest } from "./nearest-name.ts";

/** A file that commands may edit, and how: where its servers are and in which form. */
export interface EditableFile extends AddServerOptions {
  path: string;
}

/**
 * The place of a server in the file that declares it, when files of that client can be written.
 *
 * @throws ToolgateError `CONFIG_INVALID` with what to do instead
 */
export async function requireEditable(
  server: string,
  source: SourceMeta,
  context: CommandContext,
): Promise<DeclaredPlace> {
  const place = await findDeclaredPlace(server, source, { context });
  if (place !== undefined) return place;
  throw new ToolgateError(
    "CONFIG_INVALID",
    `${server} comes from ${source.path} (${source.providerName}), which Toolgate does not edit. ` +
      `Change it there, or switch it off for Toolgate alone: ${context.prefix} disable ${server}`,
    { server },
  );
}

/**
 * The file that new servers of a scope go to: Toolgate's own or `.mcp.json`, or that of the client which is named.
 *
 * @throws ToolgateError `CONFIG_INVALID` with the clients that can be written, when the named one is none of them
 */
export function fileForScope(scope: WriteScope, context: CommandContext, client?: string): EditableFile {
  if (client !== undefined) {
    checkClient(client, context);
    return findWriteTarget(client, { level: scope, context });
  }
  if (scope === "user") return { path: findNativeUserFile(context), key: "mcpServers" };
  const { path, key } = findWriteTarget("mcp-json", { level: scope, context });
  return { path, ...(key === undefined ? {} : { key }) };
}

/**
 * Says which client was probably meant, where there is none of that id.
 *
 * @throws ToolgateError `CONFIG_INVALID`
 */
export function checkClient(client: string, context: CommandContext): void {
  if (context.providers.some(({ id }) => id === client)) return;
  const writable = listWritableProviders({ context }).map(({ id }) => id);
  const nearest = suggestNearest(client, writable);
  const message = `There is no client ${JSON.stringify(client)}.${nearest} Clients that can be written: ${writable.join(", ")}.`;
  throw new ToolgateError("CONFIG_INVALID", message);
}
