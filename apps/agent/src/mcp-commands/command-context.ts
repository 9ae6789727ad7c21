import type { CapabilityProvider, MCPServerItem } from "@toolgate/capability-discovery";
import type { DiscoveryWarning } from "@toolgate/contracts";
import type { CredentialStorage } from "@toolgate/mcp-client";

import type { ServerLogs } from "../server-logs/server-logs.ts";
import type { AgentSession } from "../session/agent-session.ts";
import type { Style } from "../terminal/style.ts";
import type { TrustStore } from "../trust/trust-store.ts";
import type { ServerAccess } from "./server-access.ts";

/** What commands work with; the same for the chat and the command line. */
export interface CommandContext {
  cwd: string;
  home: string;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
  /** What could not be used in the settings. */
  settingsWarnings: readonly DiscoveryWarning[];
  /** All sources that there are, asked or not. */
  providers: readonly CapabilityProvider<MCPServerItem>[];
  /** Gives the servers: those of the live session, or ones started for this command. */
  servers: ServerAccess;
  /** The live session, when there is one: changes take effect in it at once. */
  session?: AgentSession;
  trust: TrustStore;
  /** What went to and fro between this host and its servers. */
  logs: ServerLogs;
  /** What people have signed in with. */
  credentials: CredentialStorage;
  style: Style;
  /** Columns of the terminal. */
  width: number;
  /** How a person writes a command: `toolgate mcp` or `/mcp`. */
  prefix: string;
  signal: AbortSignal;
  /** Milliseconds since 1970. */
  now(): number;
  /** All of standard input; in a terminal, what is pasted there. */
  readInput(): Promise<string>;
  /** Says something while the command goes on; never part of its result. */
  readonly notify: (text: string) => void;
  /** Shows a part of a result that has no end; absent where the result is one document. */
  readonly emit?: (text: string) => void;
  /** Asks a person; absent without a terminal. */
  readonly confirm?: (question: string) => Promise<boolean>;
  /** Asks a person for a line, until the signal aborts; absent without a terminal. */
  readonly readLine?: (question: string, signal: AbortSignal) => Promise<string>;
  /** As `readLine`, without showing what is typed; absent where the terminal cannot do that. */
  readonly readSecret?: (question: string, signal: AbortSignal) => Promise<string>;
}
