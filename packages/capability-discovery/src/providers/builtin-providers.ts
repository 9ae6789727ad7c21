import type { CapabilityProvider } from "../capability.ts";
import type { MCPServerItem } from "../server-item.ts";
import { ampProvider } from "./amp.ts";
import { antigravityProvider } from "./antigravity.ts";
import { claudeCodeProvider } from "./claude-code.ts";
import { claudeDesktopProvider } from "./claude-desktop.ts";
import { clineProvider } from "./cline.ts";
import { codexProvider } from "./codex.ts";
import { continueProvider } from "./continue.ts";
import { copilotCliProvider } from "./copilot-cli.ts";
import { copilotJetbrainsProvider } from "./copilot-jetbrains.ts";
import { cursorProvider } from "./cursor.ts";
import { devinProvider } from "./devin.ts";
import { factoryProvider } from "./factory.ts";
import { geminiProvider } from "./gemini.ts";
import { gooseProvider } from "./goose.ts";
import { grokProvider } from "./grok.ts";
import { junieProvider } from "./junie.ts";
import { kiloProvider } from "./kilo.ts";
import { kimiProvider } from "./kimi.ts";
import { kiroProvider } from "./kiro.ts";
import { llxprtProvider } from "./llxprt.ts";
import { mcpJsonProvider } from "./mcp-json.ts";
import { mcporterProvider } from "./mcporter.ts";
import { ompProvider } from "./omp.ts";
import { opencodeProvider } from "./opencode.ts";
import { piProvider } from "./pi.ts";
import { qwenProvider } from "./qwen.ts";
import { rooProvider } from "./roo.ts";
import { tabnineProvider } from "./tabnine.ts";
import { toolgateProvider } from "./toolgate.ts";
import { vscodeProvider } from "./vscode.ts";
import { windsurfProvider } from "./windsurf.ts";
import { zedProvider } from "./zed.ts";

/** All built-in providers of MCP servers. */
export const mcpProviders: readonly CapabilityProvider<MCPServerItem>[] = [
  toolgateProvider,
  claudeCodeProvider,
  codexProvider,
  cursorProvider,
  vscodeProvider,
  mcpJsonProvider,
  geminiProvider,
  qwenProvider,
  tabnineProvider,
  llxprtProvider,
  opencodeProvider,
  kiloProvider,
  windsurfProvider,
  antigravityProvider,
  claudeDesktopProvider,
  mcporterProvider,
  kiroProvider,
  junieProvider,
  factoryProvider,
  devinProvider,
  piProvider,
  ompProvider,
  kimiProvider,
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
