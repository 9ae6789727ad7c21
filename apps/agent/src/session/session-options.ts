import type { NativeSettings } from "@toolgate/capability-discovery";
import type { AgentTool, Logger, MaybePromise, ToolCache } from "@toolgate/contracts";
import type { LoadConfigsOptions, MCPManager, MCPManagerOptions } from "@toolgate/mcp-manager";

import type { NativeToolsOptions } from "../native-tools/create-native-tools.ts";
import type { AgentModel } from "./agent-model.ts";
import type { MayRunTool } from "./session-call-context.ts";
import type { SystemPromptOption } from "./system-prompt.ts";

/** Options of a manager that a session does not decide itself. */
export type SessionManagerOptions = Omit<
  MCPManagerOptions,
  "filterExa" | "toolCache" | "authStorage" | "enableProjectConfig" | "env" | "home" | "platform" | "logger"
>;

/** Options of `createAgentSession`; every one may be left out. */
export interface CreateAgentSessionOptions {
  /** Where project files are looked for and servers start. @default process.cwd() */
  cwd?: string;
  /** Replaces the user's home directory, for configuration, cache and state alike. @default os.homedir() */
  home?: string;
  /** Replaces the process's environment. @default process.env */
  env?: Record<string, string | undefined>;
  /** @default process.platform */
  platform?: NodeJS.Platform;
  /** Hears of every server that failed. @default silent */
  logger?: Logger;
  /** `false`: no configuration file is read and nothing is started. @default true */
  enableMCP?: boolean;
  /** Settings to go by instead of those in the native files. @default read from the native files */
  settings?: { [Key in keyof NativeSettings]?: NativeSettings[Key] };
  /** Gives credentials of remote servers. @default none */
  authStorage?: MCPManagerOptions["authStorage"];
  /** Remembers tools between sessions; `false` for no cache. @default the embedded cache in the cache directory */
  toolCache?: ToolCache | false;
  /** A manager to use instead of a new one; it is the caller's to end. @default a new one */
  mcpManager?: MCPManager;
  /**
   * Options of the new manager, for example `approve`, `startupTimeoutMs` or `runtimeServers`. They win over settings.
   * @default the manager's own; without `approve` every configured server may run
   */
  mcp?: SessionManagerOptions;
  /**
   * What discovery goes by, asked at the start and again at each reload; wins over settings and `mcp`.
   * @default the settings, read anew
   */
  discoveryOptions?: () => MaybePromise<LoadConfigsOptions>;
  /** What answers prompts. A session without one has its tools all the same. @default none */
  model?: AgentModel;
  /**
   * What stands above the conversation. A text takes the place of the session's own introduction; what `AGENTS.md` files
   * and servers say follows it. A function gets all the parts and gives the whole; the same parts should give the same
   * text, since providers cache requests by their beginning. `false`: nothing, for subagents only that they are some.
   *
   * @default who the model is, where it works, and the rules for tools
   */
  systemPrompt?: SystemPromptOption;
  /**
   * Whether the system prompt has what `AGENTS.md` files say: the user's, beside the native settings, and those of the
   * project from the root of its repository to `cwd`, 32 KiB together. They are read at the first prompt, and once. With
   * `enableProjectConfig: false` the project's are left out.
   *
   * @default true
   */
  instructionFiles?: boolean;
  /**
   * Milliseconds that a prompt waits at most for servers whose tools nobody knows yet, see `PromptOptions`.
   * @default 10000
   */
  waitForServersMs?: number;
  /** Milliseconds since 1970; says which day the system prompt names. @default Date.now */
  now?: () => number;
  /** Tools beside those of the servers. @default none */
  tools?: readonly AgentTool[];
  /**
   * Registers `read`, `list`, `glob`, `grep`, `write`, `edit`, `bash` and `task`; an object says more about them. A tool
   * of the same name in `tools` takes the place of one. `exa_search` does not depend on it: it comes with an Exa key.
   *
   * @default false
   */
  nativeTools?: boolean | Pick<NativeToolsOptions, "roots" | "approveOutside">;
  /** Whether a tool may run, for every prompt that does not bring its own. @default every active tool may */
  mayRun?: MayRunTool;
  /** Takes over the active tools after each refresh; a failure takes the refresh back. @default nothing */
  applyTools?: (active: readonly AgentTool[]) => MaybePromise<void>;
  /** Used by the native Exa tool and by remote servers. @default the global fetch */
  fetch?: typeof globalThis.fetch;
}
