import { createCapabilityRegistry, mcpCapability } from "@toolgate/capability-discovery";
import type { ProviderDescription } from "@toolgate/capability-discovery";
import { maskServerConfig, transportOf } from "@toolgate/contracts";
import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { joinWarnings } from "../../settings/load-settings.ts";
import { alignColumns } from "../../terminal/columns.ts";
import { formatCount, formatPath } from "../../terminal/format.ts";
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
  const { cwd, home, env, platform } = context;
  const providers = await registry.describeSources(mcpCapability, {
    cwd,
    home,
    env,
    platform,
    providers: context.providers,
  });
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
  const entries = servers.map(({ name, enabled, config, source }) => [
    context.style.bold(sanitizeLine(name)),
    enabled ? transportOf(config) : "disabled",
    sanitizeLine(source === undefined ? "" : show(source.path)),
    sanitizeLine(describeTarget(config)),
  ]);
  const text = [
    ...(entries.length === 0 ? ["No MCP servers are configured."] : alignColumns(entries)),
    "",
    ...renderFiles(providers, [...servers.flatMap(({ source }) => source?.path ?? []), ...shadowedPaths(loaded)], show),
    ...warnings.map((warning) => context.style.warning(renderWarning(warning, show))),
  ].join("\n");
  return { document, text, exitStatus: EXIT_STATUS.fine };
}

function shadowedPaths({ shadowed }: LoadedConfigs): string[] {
  return shadowed.map(({ _source: source }) => source.path);
}

/** The files that were read with the number of their servers, and the sources of which no file is there. */
function renderFiles(
  providers: readonly ProviderDescription[],
  entryPaths: readonly string[],
  show: (path: string) => string,
): string[] {
  const found = providers.flatMap(({ displayName, files }) =>
    files
      .filter((file) => file.exists)
      .map(({ path, level }) => {
        const count = entryPaths.filter((entryPath) => entryPath === path).length;
        return [displayName, show(path), level, count === 0 ? "" : formatCount(count, "server")];
      }),
  );
  const absent = providers
    .filter(({ files }) => files.length > 0 && !files.some((file) => file.exists))
    .map(({ displayName }) => displayName);
  return [
    found.length === 0 ? "None of the files that are looked for exists." : "Files:",
    ...alignColumns(found, { indent: "  " }),
    ...(absent.length === 0 ? [] : [`Looked for and not there: ${absent.toSorted().join(", ")}`]),
  ];
}

/** What an entry starts or reaches, secrets masked. */
export function describeTarget(config: MCPServerConfig): string {
  const masked = maskServerConfig(config);
  if (masked.type === "http" || masked.type === "sse") return masked.url;
  return [masked.command, ...(masked.args ?? [])].join(" ");
}
