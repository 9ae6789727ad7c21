import { createCapabilityRegistry, mcpCapability, mcpProviders } from "@toolgate/capability-discovery";
import { maskServerConfig, transportOf } from "@toolgate/contracts";
import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";

import { joinWarnings } from "../../settings/load-settings.ts";
import { alignColumns } from "../../terminal/columns.ts";
import { formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { renderWarning, shadowedDocument, sourceDocument, warningDocument } from "../discovery-documents.ts";

interface SourcedServer {
  name: string;
  enabled: boolean;
  config: MCPServerConfig;
  source: SourceMeta | undefined;
}

/** `sources`: what is configured where, secrets masked. Reads, and starts nothing. */
export async function listSources(context: CommandContext): Promise<CommandOutcome> {
  const loaded = await context.servers.load();
  const registry = createCapabilityRegistry();
  for (const provider of mcpProviders) registry.register(mcpCapability, provider);
  const providers = await registry.describeSources(mcpCapability, context);
  const servers: SourcedServer[] = [
    ...Object.entries(loaded.configs).map(([name, config]) => ({
      name,
      enabled: true,
      config,
      source: loaded.sources[name],
    })),
    ...Object.entries(loaded.disabled).map(([name, { config, source }]) => ({ name, enabled: false, config, source })),
  ].toSorted((a, b) => (a.name < b.name ? -1 : 1));
  const warnings = joinWarnings(context.settingsWarnings, loaded.warnings);
  const document = {
    servers: servers.map(({ name, enabled, config, source }) => ({
      name,
      enabled,
      transport: transportOf(config),
      config: maskServerConfig(config),
      ...(source === undefined ? {} : { source: sourceDocument(source) }),
    })),
    shadowed: loaded.shadowed.map(shadowedDocument),
    filtered: Object.entries(loaded.filtered).map(([name, { source }]) => ({ name, source: sourceDocument(source) })),
    warnings: warnings.map(warningDocument),
    providers,
  };
  const show = (path: string): string => formatPath(path, context);
  const found = providers.flatMap(({ displayName, files }) =>
    files.filter((file) => file.exists).map((file) => [displayName, show(file.path), file.level]),
  );
  const entries = servers.map(({ name, enabled, config, source }) => [
    context.style.bold(sanitizeLine(name)),
    enabled ? transportOf(config) : "disabled",
    sanitizeLine(source === undefined ? "" : show(source.path)),
    sanitizeLine(describeTarget(config)),
  ]);
  const text = [
    ...(entries.length === 0 ? ["No MCP servers are configured."] : alignColumns(entries)),
    "",
    found.length === 0 ? "None of the files that are looked for exists." : "Files:",
    ...alignColumns(found, { indent: "  " }),
    ...warnings.map((warning) => context.style.warning(renderWarning(warning, show))),
  ].join("\n");
  return { document, text, exitStatus: EXIT_STATUS.fine };
}

/** What an entry starts or reaches, secrets masked. */
export function describeTarget(config: MCPServerConfig): string {
  const masked = maskServerConfig(config);
  if (masked.type === "http" || masked.type === "sse") return masked.url;
  return [masked.command, ...(masked.args ?? [])].join(" ");
}
