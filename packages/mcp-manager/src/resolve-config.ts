import type { Logger, MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { messageOf, ToolgateError } from "@toolgate/contracts";

import { abortable } from "./abortable.ts";
import type { AuthStorage } from "./manager-options.ts";
import { runShellCommand } from "./shell-substitution.ts";
import type { StartQueue } from "./start-queue.ts";

/** What resolving one config needs. */
export interface ResolveContext {
  name: string;
  source: SourceMeta | undefined;
  cwd: string;
  env: Record<string, string | undefined>;
  signal: AbortSignal;
  logger: Logger;
  authStorage: AuthStorage | undefined;
  /** Lets one command start per turn of the event loop; each start blocks it. @default none: all start at once */
  pace?: StartQueue;
}

/**
 * Makes the config that is really connected: `!command` values of `env`, `headers` and `auth` become what the command
 * prints, and a remote server without a credential gets the stored one.
 *
 * Commands of project files are never run, since such a file comes with a cloned repository; there the value stays as
 * it is written.
 *
 * @throws ToolgateError `SUBSTITUTION_FAILED` with server, file and field.
 */
export async function resolveServerConfig(config: MCPServerConfig, context: ResolveContext): Promise<MCPServerConfig> {
  if (config.type === "http" || config.type === "sse") {
    const headers = await resolveValues("headers", config.headers, context);
    const auth = await resolveAuth(config, context);
    return { ...config, ...(headers === undefined ? {} : { headers }), ...(auth === undefined ? {} : { auth }) };
  }
  const env = await resolveValues("env", config.env, context);
  return { ...config, ...(env === undefined ? {} : { env }) };
}

async function resolveAuth(
  config: Extract<MCPServerConfig, { url: string }>,
  context: ResolveContext,
): Promise<MCPServerConfig["auth"]> {
  if (config.auth !== undefined) {
    return { ...config.auth, token: await resolveValue("auth.token", config.auth.token, context) };
  }
  const hasHeader = Object.keys(config.headers ?? {}).some((header) => header.toLowerCase() === "authorization");
  if (hasHeader || context.authStorage === undefined) return undefined;
  const request = { server: context.name, url: config.url };
  const token = await abortable(Promise.resolve(context.authStorage.getToken(request)), context.signal);
  return token === undefined ? undefined : { type: "bearer", token };
}

async function resolveValues(
  field: string,
  values: Record<string, string> | undefined,
  context: ResolveContext,
): Promise<Record<string, string> | undefined> {
  if (values === undefined) return undefined;
  const entries = await Promise.all(
    Object.entries(values).map(async ([key, value]) => [key, await resolveValue(`${field}.${key}`, value, context)]),
  );
  return Object.fromEntries(entries) as Record<string, string>;
}

async function resolveValue(field: string, value: string, context: ResolveContext): Promise<string> {
  if (!value.startsWith("!") || value.length === 1) return value;
  const { name, source, cwd, env, signal, logger } = context;
  if (source?.level === "project") {
    logger.warn(`${name}: ${field} in ${source.path} starts with "!"; commands of project files are not run`);
    return value;
  }
  const slot = await context.pace?.enter(() => ({ urgent: true }), signal);
  // Only the start of a command blocks the event loop; how many of them run at once does not matter.
  slot?.release();
  try {
    return await runShellCommand(value.slice(1), { cwd, env, signal });
  } catch (error) {
    const where = source === undefined ? "" : ` in ${source.path}`;
    throw new ToolgateError(
      "SUBSTITUTION_FAILED",
      `${name}: the command of ${field}${where} gave no value: ${messageOf(error)}. Run it by hand to see why.`,
      { server: name, cause: error },
    );
  }
}
