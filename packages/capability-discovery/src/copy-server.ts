import { ToolgateError } from "@toolgate/contracts";
import type { DiscoveryWarning, SourceMeta } from "@toolgate/contracts";

import type { EditResult } from "./edit-json-file.ts";
import { isFileProvider } from "./file-provider.ts";
import { findDeclaredEntry } from "./find-entry.ts";
import { mcpProviders } from "./providers/builtin-providers.ts";
import { readUnexpandedEntry } from "./unexpanded-entry.ts";
import { writeEntry } from "./write-entry.ts";
import { hasSecrets, insertServer } from "./write-servers.ts";
import { locateWriteTarget, writingClientOf } from "./write-target.ts";
import type { WriteTargetOptions } from "./write-target.ts";

/** Options of {@link copyServer}. */
export interface CopyServerOptions extends WriteTargetOptions {
  /** Id of the client whose file gets the entry. */
  to: string;
  /** Name of the copy. @default that of the original */
  as?: string;
  /** Replaces an entry of the same name. @default false */
  replace?: boolean;
}

/** What {@link copyServer} did. */
export interface CopyResult extends EditResult {
  /** What was left out of the original, or may be wrong with it. */
  warnings: DiscoveryWarning[];
}

/**
 * Copies a server from the file that declares it into another client's, in that client's form. References to environment
 * variables are translated, never expanded: no value of the environment is written.
 *
 * @param name - Name of the server.
 * @param source - Where it came from, as loading says.
 * @throws ToolgateError `CONFIG_INVALID` with every reason when the other client cannot say what the entry says, when it
 * has the name already, or when there is no file to read or write; `CONFIG_UNREADABLE` when the file cannot be read,
 * parsed or written
 */
export async function copyServer(name: string, source: SourceMeta, options: CopyServerOptions): Promise<CopyResult> {
  const { context, providers = mcpProviders, as = name } = options;
  const target = locateWriteTarget(options.to, options);
  const provider = providers.find(({ id }) => id === source.provider);
  const declared =
    provider !== undefined && isFileProvider(provider)
      ? await findDeclaredEntry(provider, name, { source, context })
      : undefined;
  if (declared === undefined) {
    const message = `Server ${JSON.stringify(name)} cannot be copied: ${source.path} does not declare it.`;
    throw new ToolgateError("CONFIG_INVALID", message, { server: name });
  }
  const entry = readUnexpandedEntry(declared);
  const isOwn = (id: string, level: string): boolean => id === "toolgate" && level !== "project";
  const hasCommands = isOwn(source.provider, source.level) && !isOwn(options.to, options.level);
  const value = writeEntry(as, { ...entry, hasCommands }, writingClientOf(target, context));
  const result = await insertServer(target.file.path, as, {
    key: target.key,
    replace: options.replace === true,
    value,
    isPrivate: hasSecrets(entry.config),
  });
  return { ...result, warnings: declared.warnings };
}
