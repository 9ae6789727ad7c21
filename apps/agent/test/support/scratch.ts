import { mkdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";

import { fixtureServer, temporaryDirectory } from "../../../../tooling/fixture-servers/index.mjs";
import type { CreateAgentSessionOptions } from "../../src/session/session-options.ts";

type FixtureOptions = NonNullable<Parameters<typeof fixtureServer>[0]>;

/** A home and a project of their own, for one test. */
export interface Scratch extends AsyncDisposable {
  root: string;
  home: string;
  project: string;
  env: Record<string, string>;
  /** Options that keep a session within this scratch. */
  session: CreateAgentSessionOptions;
  /** A path in the root, for gates and logs. */
  file(name: string): string;
  /** Writes a file below the root; objects as JSON. */
  write(path: string, content: object | string): Promise<string>;
  /** Writes the servers of a client of the user (Cursor). */
  userServers(servers: Record<string, FixtureOptions | RawEntry>): Promise<string>;
  /** Writes the project's `.mcp.json`. */
  projectServers(servers: Record<string, FixtureOptions | RawEntry>): Promise<string>;
}

/** An entry that is written as it is. */
export interface RawEntry {
  entry: object;
}

/** Makes a scratch home and project. */
export async function createScratch(): Promise<Scratch> {
  const directory = await temporaryDirectory();
  const root = directory.path;
  const home = join(root, "home");
  const project = join(root, "project");
  await mkdir(home, { recursive: true });
  await mkdir(project, { recursive: true });
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    // A model that runs on this machine is none of a test's.
    OLLAMA_HOST: "127.0.0.1:9",
    LMSTUDIO_BASE_URL: "http://127.0.0.1:9",
  };
  const write = async (path: string, content: object | string): Promise<string> => {
    const file = join(root, path);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, typeof content === "string" ? content : JSON.stringify(content, null, 2));
    return file;
  };
  return {
    root,
    home,
    project,
    env,
    session: { cwd: project, home, env },
    file: (name) => join(root, name),
    write,
    userServers: (servers) => write("home/.cursor/mcp.json", entriesOf(servers)),
    projectServers: (servers) => write("project/.mcp.json", entriesOf(servers)),
    [Symbol.asyncDispose]: () => directory[Symbol.asyncDispose](),
  };
}

function entriesOf(servers: Record<string, FixtureOptions | RawEntry>): object {
  return {
    mcpServers: Object.fromEntries(
      Object.entries(servers).map(([name, options]) => [
        name,
        "entry" in options ? options.entry : fixtureServer(options),
      ]),
    ),
  };
}

/** A logger that keeps what it hears. */
export function createRecordingLogger() {
  const lines: string[] = [];
  const record =
    (level: string) =>
    (message: string): void => {
      lines.push(`${level}: ${message}`);
    };
  return { lines, debug: record("debug"), info: record("info"), warn: record("warn"), error: record("error") };
}
