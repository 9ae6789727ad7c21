import type { CapabilityProvider } from "../capability.ts";
import type { MCPServerItem } from "../server-item.ts";
import { claudeCodeProvider } from "./claude-code.ts";
import { codexProvider } from "./codex.ts";
import { cursorProvider } from "./cursor.ts";
import { mcpJsonProvider } from "./mcp-json.ts";
import { toolgateProvider } from "./toolgate.ts";
import { vscodeProvider } from "./vscode.ts";

/** All built-in providers of MCP servers. */
export const mcpProviders: readonly CapabilityProvider<MCPServerItem>[] = [
  toolgateProvider,
  claudeCodeProvider,
  codexProvider,
  cursorProvider,
  vscodeProvider,
  mcpJsonProvider,
];
