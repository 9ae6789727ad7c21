import { mcpProviders } from "@toolgate/capability-discovery";
import { MCPManager } from "@toolgate/mcp-manager";

import type { CommandContext } from "../../src/mcp-commands/command-context.ts";
import type { Finding, FindingSummary } from "../../src/mcp-commands/doctor/finding.ts";
import { runMCPCommand } from "../../src/mcp-commands/run-mcp-command.ts";
import { createCommandAccess } from "../../src/mcp-commands/server-access.ts";
import { ServerLogs } from "../../src/server-logs/server-logs.ts";
import { discoveryOptionsOf, loadSettings } from "../../src/settings/load-settings.ts";
import { createCredentials } from "../../src/state/credentials.ts";
import { plainStyle } from "../../src/terminal/style.ts";
import { createTrustStore } from "../../src/trust/trust-store.ts";
import type { Scratch } from "./scratch.ts";

/** What the doctor said. */
export interface Diagnosis {
  findings: Finding[];
  summary: FindingSummary;
  text: string;
  exitStatus: number;
  /** The findings of one check. */
  of: (check: Finding["check"]) => Finding[];
}

/** Runs `doctor` in a scratch project, as the command line does. */
export async function runDoctor(scratch: Scratch, env: Record<string, string> = {}): Promise<Diagnosis> {
  const places = {
    cwd: scratch.project,
    home: scratch.home,
    env: { ...scratch.env, ...env },
    platform: process.platform,
  };
  const { settings, warnings } = await loadSettings(places);
  const loadOptions = async () => ({ ...discoveryOptionsOf(settings), ...places });
  const context: CommandContext = {
    ...places,
    providers: mcpProviders,
    settingsWarnings: warnings,
    servers: createCommandAccess({
      createManager: async () => new MCPManager(places.cwd, await loadOptions()),
      loadOptions,
    }),
    trust: createTrustStore(places),
    credentials: createCredentials(places),
    notify: () => {},
    style: plainStyle,
    width: 100,
    prefix: "toolgate mcp",
    signal: new AbortController().signal,
    now: () => Date.now(),
    logs: new ServerLogs({ cwd: scratch.project, home: scratch.home, env: scratch.env, platform: process.platform }),
    readInput: () => Promise.reject(new Error("no input here")),
  };
  const { document, text, exitStatus } = await runMCPCommand({ name: "doctor" }, context);
  await context.servers.close();
  const { findings, summary } = document as Pick<Diagnosis, "findings" | "summary">;
  return { findings, summary, text, exitStatus, of: (check) => findings.filter((finding) => finding.check === check) };
}
