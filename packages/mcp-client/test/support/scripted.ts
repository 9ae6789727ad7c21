import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { StdioServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

import { faultyStdioServer } from "../../../../tooling/fault-servers/index.mjs";
import { callTool, connectToServer, type ConnectOptions, type MCPServerConnection } from "../../src/index.ts";

/** An entry that starts the stdio server that misbehaves as it is told. */
export function scripted(faults: object = {}, extra: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return { ...faultyStdioServer(faults), ...extra };
}

/** Connects, and disconnects when the test is over, however it ends. Writes nothing to the real home. */
export async function connect(
  config: Parameters<typeof connectToServer>[1],
  options: ConnectOptions = {},
): Promise<MCPServerConnection> {
  const connection = await connectToServer("fixture", config, { compileCacheDirectory: false, ...options });
  onTestFinished(() => connection.close());
  return connection;
}

/** Calls a tool of the scripted server and gives the text of its answer. */
export async function callForText(
  connection: MCPServerConnection,
  tool: string,
  args: Record<string, unknown> = {},
): Promise<string> {
  const { content } = await callTool(connection, tool, args);
  const [block] = content;
  if (block?.type !== "text") throw new Error(`no text from ${tool}`);
  return block.text;
}

/** What a promise rejects with. */
export async function failureOf(promise: Promise<unknown>): Promise<Error & { code?: string; data?: unknown }> {
  try {
    await promise;
  } catch (error) {
    if (error instanceof Error) return error;
    throw error;
  }
  throw new Error("it did not fail");
}

/** A directory that is removed when the test is over. */
export async function temporaryDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), "toolgate-client-"));
  onTestFinished(() => rm(directory, { recursive: true, force: true }));
  return directory;
}
