import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import type { MCPServerConfig } from "@toolgate/contracts";
import { createToolCache } from "@toolgate/tool-cache";

import type { FixtureOptions } from "../../../../tooling/fixture-servers/index.mjs";
import {
  fixtureServer,
  receivedMessages,
  temporaryDirectory,
  waitFor,
} from "../../../../tooling/fixture-servers/index.mjs";
import type { MCPManagerEvent } from "../../src/manager-events.ts";
import type { MCPManagerOptions } from "../../src/manager-options.ts";
import { MCPManager } from "../../src/manager.ts";

/** A temporary directory with managers and servers in it; disposing of it ends them all. */
export interface Workbench {
  directory: string;
  /** A manager with a tool cache of this workbench. */
  createManager(options?: MCPManagerOptions): MCPManager;
  /** Starts and ends servers once, so that their tools are remembered. */
  fillCache(configs: Record<string, MCPServerConfig>): Promise<void>;
  /** A server with a log and a pid file of its own. */
  server(name: string, options?: FixtureOptions): MCPServerConfig;
  /** A path that a server may wait for, see `waitForFile`; {@link open} creates it. */
  gate(name: string): string;
  open(gate: string): void;
  /** Methods that a server has received, in order. */
  received(name: string): string[];
  /** Waits until a server has received a method so often. */
  waitForMethod(name: string, method: string, times?: number): Promise<unknown>;
  pidOf(name: string): number;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function createWorkbench(): Promise<Workbench> {
  const temporary = await temporaryDirectory();
  const directory = temporary.path;
  const managers: MCPManager[] = [];
  const logOf = (name: string): string => join(directory, `${name}.log`);
  const received = (name: string): string[] =>
    existsSync(logOf(name)) ? receivedMessages(logOf(name)).flatMap((message) => message.method ?? []) : [];
  const createManager = (options: MCPManagerOptions = {}): MCPManager => {
    const toolCache = createToolCache({ directory: join(directory, "cache") });
    const manager = new MCPManager(directory, { toolCache, ...options });
    managers.push(manager);
    return manager;
  };
  return {
    directory,
    createManager,
    async fillCache(configs) {
      const manager = createManager({ startupTimeoutMs: Number.POSITIVE_INFINITY });
      await manager.connectServers(configs);
      // Waits for the writes that are under way, too.
      await manager.disconnectAll();
    },
    server: (name, options = {}) =>
      fixtureServer({ name, logFile: logOf(name), pidFile: join(directory, `${name}.pid`), ...options }),
    gate: (name) => join(directory, `${name}.gate`),
    open: (gate) => writeFileSync(gate, ""),
    received,
    waitForMethod: (name, method, times = 1) =>
      waitFor(() => received(name).filter((other) => other === method).length >= times, `${method} at ${name}`),
    pidOf: (name) => Number(readFileSync(join(directory, `${name}.pid`), "utf8")),
    async [Symbol.asyncDispose]() {
      await Promise.all(managers.map((manager) => manager.disconnectAll()));
      await temporary[Symbol.asyncDispose]();
    },
  };
}

/** Resolves with the next event of a type. */
export function nextEvent<T extends MCPManagerEvent["type"]>(
  manager: MCPManager,
  type: T,
): Promise<Extract<MCPManagerEvent, { type: T }>> {
  return new Promise((resolve) => {
    const stop = manager.subscribe((event) => {
      if (event.type !== type) return;
      stop();
      resolve(event as Extract<MCPManagerEvent, { type: T }>);
    });
  });
}

/** The text of a result's first content block. */
export function textOf(result: { content: readonly { type: string }[] }): string {
  const [first] = result.content;
  return first !== undefined && "text" in first ? String(first.text) : "";
}
