import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { StdioServerConfig } from "@toolgate/contracts";
import { onTestFinished } from "vitest";

import { callTool, connectToServer, type ConnectOptions, type MCPServerConnection } from "../../src/index.ts";

/** Path of the server whose behaviour is given as JSON. */
export const SCRIPTED_SERVER: string = fileURLToPath(new URL("../servers/scripted-server.mjs", import.meta.url));

/** An entry that starts the scripted server. */
export function scripted(script: object = {}, extra: Partial<StdioServerConfig> = {}): StdioServerConfig {
  return { command: process.execPath, args: [SCRIPTED_SERVER, JSON.stringify(script)], ...extra };
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
