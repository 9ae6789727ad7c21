import { stat } from "node:fs/promises";
import { homedir } from "node:os";
import { resolve } from "node:path";

import { findNativeUserFile, mcpProviders } from "@toolgate/capability-discovery";
import type { CapabilityProvider, MCPServerItem, NativeSettings } from "@toolgate/capability-discovery";
import type { DiscoveryWarning, Logger } from "@toolgate/contracts";
import type { CredentialStorage } from "@toolgate/mcp-client";
import type { LoadConfigsOptions, MCPManagerOptions } from "@toolgate/mcp-manager";

import type { ApprovalSettings } from "../approval/approval-settings.ts";
import { readApprovalSettings } from "../approval/approval-settings.ts";
import { suggestNearest } from "../mcp-commands/nearest-name.ts";
import { ServerLogs } from "../server-logs/server-logs.ts";
import { rootsOf } from "../session/session-roots.ts";
import { chooseProviders, discoveryOptionsOf, loadSettings, pluginProvidersOf } from "../settings/load-settings.ts";
import { createCredentials } from "../state/credentials.ts";
import { createProjectApproval } from "../trust/project-approval.ts";
import type { TrustStore } from "../trust/trust-store.ts";
import { createTrustStore } from "../trust/trust-store.ts";
import type { CommandLineIO } from "./command-line-io.ts";
import { createConfigFileProvider } from "./config-file.ts";
import type { GlobalOptions } from "./parse-arguments.ts";

/** What is wrong with a command line beyond its syntax. */
export class UsageError extends Error {
  override readonly name: string = "UsageError";
}

/** The app in one process: where it works, what it goes by and whom it trusts. */
export interface Host {
  cwd: string;
  home: string;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
  logger: Logger;
  options: GlobalOptions;
  settings: NativeSettings;
  settingsWarnings: readonly DiscoveryWarning[];
  /** All sources that there are, those of plugins included. */
  providers: readonly CapabilityProvider<MCPServerItem>[];
  trust: TrustStore;
  /** What the user's settings say about which tools may run. */
  approval: ApprovalSettings;
  /** What people have signed in with. */
  credentials: CredentialStorage;
  /** What went to and fro between the app and its servers. */
  logs: ServerLogs;
  /** Options of the command line and the settings, read anew. */
  loadOptions(): Promise<LoadConfigsOptions>;
  /** Options of every manager of the app: project servers run only when they are approved. */
  managerOptions(): Promise<MCPManagerOptions>;
}

/**
 * Puts the host together.
 *
 * @throws UsageError when the options name a directory or a source that does not exist
 * @throws ToolgateError `CONFIG_UNREADABLE` when the `--config` file cannot be used
 */
export async function createHost(options: GlobalOptions, io: CommandLineIO, logger: Logger): Promise<Host> {
  const cwd = resolve(options.cwd ?? process.cwd());
  if (!(await isDirectory(cwd))) throw new UsageError(`--cwd: there is no directory ${cwd}.`);
  const { env, platform } = io;
  const places = { cwd, home: homeOf(io), env, platform };
  const configFile =
    options.config === undefined ? undefined : await createConfigFileProvider(resolve(cwd, options.config), places);
  const { settings, plugins, warnings } = await loadSettings(places);
  const providers = [...mcpProviders, ...pluginProvidersOf(plugins)];
  checkProviders(options.providers, providers);
  const trust = createTrustStore({ ...places, logger });
  const credentials = createCredentials(places);
  const files = settings.mcp.logs;
  const logs = new ServerLogs({ ...places, logger, ...(files === undefined ? {} : { files }) });
  const approval = readApprovalSettings(settings.approval);

  const loadOptions = async (): Promise<LoadConfigsOptions> => {
    const current = await loadSettings(places);
    const discovery = discoveryOptionsOf(current.settings, current.plugins);
    const chosen =
      options.providers === undefined ? discovery.providers : chooseProviders(options.providers, current.plugins);
    return {
      ...discovery,
      home: places.home,
      env,
      platform,
      filterExa: true,
      ...(options.projectConfig ? {} : { enableProjectConfig: false }),
      providers: [...chosen, ...(configFile === undefined ? [] : [configFile])],
    };
  };
  return {
    ...places,
    logger,
    options,
    settings,
    settingsWarnings: [
      ...warnings,
      ...approval.problems.map((message) => ({ path: findNativeUserFile(places), message })),
    ],
    providers,
    trust,
    approval,
    credentials,
    logs,
    loadOptions,
    async managerOptions() {
      const { createToolCache } = await import("@toolgate/tool-cache");
      return {
        ...(await loadOptions()),
        ...rootsOf(cwd),
        toolCache: createToolCache({ env, home: places.home, logger }),
        approve: createProjectApproval(trust),
        // Only approved servers get so far. Nobody is asked to sign in during a start: that is what `auth` is for.
        authorization: { storage: credentials, clientName: "Toolgate" },
        logger,
        onMessage: logs.record,
      };
    },
  };
}

// A shell that has no HOME, and a test that has another one, are both right about it.
function homeOf({ env, platform }: CommandLineIO): string {
  const variable = env[platform === "win32" ? "USERPROFILE" : "HOME"];
  return variable === undefined || variable === "" ? homedir() : variable;
}

function checkProviders(ids: readonly string[] | undefined, providers: Host["providers"]): void {
  const known = providers.map((provider) => provider.id);
  const unknown = (ids ?? []).filter((id) => !known.includes(id));
  if (unknown.length === 0) return;
  const nearest = suggestNearest(unknown[0] ?? "", known);
  throw new UsageError(`--providers: there is no source ${unknown.join(", ")}.${nearest} Known: ${known.join(", ")}.`);
}

async function isDirectory(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch {
    return false;
  }
}
