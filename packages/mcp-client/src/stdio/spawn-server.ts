import { spawn as nodeSpawn } from "node:child_process";
import { resolve } from "node:path";

import { collectSecrets, createRedactor, silentLogger, type StdioServerConfig } from "@toolgate/contracts";

import { systemClock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import { registerChild } from "../process/child-registry.ts";
import { createChildMarker } from "../process/process-marker.ts";
import { buildChildEnvironment } from "./child-environment.ts";
import { buildCommandLine } from "./command-line.ts";
import { StderrRing } from "./stderr-ring.ts";
import { StdioTransport } from "./stdio-transport.ts";

/** A child that is being started, and what an error about it needs to know. */
export interface SpawnedServer {
  transport: StdioTransport;
  /** Its whole environment, for the PATH that was searched. */
  env: Record<string, string>;
  cwd: string;
}

/**
 * Starts a server's process, in a process group of its own so that all of it can be ended.
 *
 * @throws what `child_process.spawn` throws for arguments that it cannot take
 */
export function spawnServer(config: StdioServerConfig, options: ConnectOptions): SpawnedServer {
  const platform = options.platform ?? process.platform;
  const marker = createChildMarker();
  const env = buildChildEnvironment({
    env: options.env ?? process.env,
    entry: config.env ?? {},
    platform,
    marker,
    compileCacheDirectory: options.compileCacheDirectory,
  });
  const cwd = resolve(options.cwd ?? process.cwd(), config.cwd ?? "");
  const line = buildCommandLine({ command: config.command, args: config.args ?? [], env, platform, cwd });
  const child = (options.spawn ?? nodeSpawn)(line.file, line.args, {
    cwd,
    env,
    stdio: ["pipe", "pipe", "pipe"],
    detached: platform !== "win32",
    windowsHide: true,
    windowsVerbatimArguments: line.windowsVerbatimArguments,
  });
  const ready = new Promise<void>((settle, reject) => {
    child.once("spawn", () => settle());
    child.once("error", reject);
  });
  // Errors of a child that runs are those of its pipes, which the transport hears itself.
  child.on("error", () => {});
  ready.catch(() => {});
  const secrets = collectSecrets(config);
  const redact = createRedactor(secrets);
  const transport = new StdioTransport({
    child,
    registered: child.pid === undefined ? undefined : registerChild(child.pid, marker),
    ready,
    stderr: new StderrRing(redact, Math.max(0, ...secrets.map((secret) => secret.length))),
    redact,
    logger: options.logger ?? silentLogger,
    platform,
    clock: options.clock ?? systemClock,
  });
  return { transport, env, cwd };
}
