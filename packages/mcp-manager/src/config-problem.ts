import type { MCPServerConfig } from "@toolgate/contracts";
import { ToolgateError, validateServerConfig } from "@toolgate/contracts";

import type { ConfigEntry } from "./load-configs.ts";

/**
 * Why a server cannot be started as it is configured; undefined when it can.
 *
 * @param path - The file that declares the server.
 * @returns `CONFIG_INVALID`, or what discovery has found.
 */
export function findConfigProblem(
  name: string,
  { config, entry, path }: { config: MCPServerConfig; entry: ConfigEntry; path: string | undefined },
): ToolgateError | undefined {
  if (entry.problem !== undefined) return entry.problem;
  const problems = validateServerConfig(name, config);
  if (problems.length === 0) return undefined;
  const where = path === undefined ? "" : ` in ${path}`;
  const message = `${name}${where} cannot be started: ${problems.join("; ")}. Correct the entry, then /mcp reload.`;
  return new ToolgateError("CONFIG_INVALID", message, { server: name, data: { problems } });
}
