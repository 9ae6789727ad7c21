import type { CapabilityProvider } from "../capability.ts";
import type { MCPServerItem } from "../server-item.ts";
import { ampProvider } from "./amp.ts";
import { claudeCodeProvider } from "./claude-code.ts";
import { clineProvider } from "./cline.ts";
import { codexProvider } from "./codex.ts";
import { continueProvider } from "./continue.ts";
import { copilotCliProvider } from "./copilot-cli.ts";
import { copilotJetbrainsProvider } from "./copilot-jetbrains.ts";
import { cursorProvider } from "./cursor.ts";
import { gooseProvider } from "./goose.ts";
import { grokProvider } from "./grok.ts";
import { mcpJsonProvider } from "./mcp-json.ts";
import { rooProvider } from "./roo.ts";
import { toolgateProvider } from "./toolgate.ts";
import { vscodeProvider } from "./vscode.ts";
import { zedProvider } from "./zed.ts";

/** All built-in providers of MCP servers. */
export const mcpProviders: readonly CapabilityProvider<MCPServerItem>[] = [
  toolgateProvider,
  claudeCodeProvider,
  codexProvider,
  cursorProvider,
  vscodeProvider,
  mcpJsonProvider,
  zedProvider,
  clineProvider,
  rooProvider,
  ampProvider,
  gooseProvider,
  continueProvider,
  copilotCliProvider,
  copilotJetbrainsProvider,
  grokProvider,
];
