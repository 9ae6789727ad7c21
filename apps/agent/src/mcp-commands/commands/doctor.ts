import { access, constants, stat } from "node:fs/promises";
import { delimiter } from "node:path";

import { findNativeUserFile } from "@toolgate/capability-discovery";
import type { DiscoveryWarning, MCPServerConfig } from "@toolgate/contracts";
import { transportOf, validateServerConfig } from "@toolgate/contracts";
import { findCommand } from "@toolgate/mcp-client";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import { joinWarnings } from "../../settings/load-settings.ts";
import { formatCount, formatPath } from "../../terminal/format.ts";
import { sanitizeLine } from "../../terminal/sanitize-text.ts";
import { needsApproval } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { subjectOf } from "./trust.ts";

/** One thing that the doctor has to say. */
export interface Finding {
  /** `error`: a server or a file cannot be used; `warning`: something may not be what was meant; `hint`: good to know. */
  level: "error" | "warning" | "hint";
  message: string;
  /** What to do about it. */
  fix: string;
  server?: string;
  path?: string;
  line?: number;
  column?: number;
}

/** `doctor`: what is wrong in the configuration and how to mend it. Reads, and starts nothing. */
export async function diagnose(context: CommandContext): Promise<CommandOutcome> {
  const loaded = await context.servers.load();
  const warnings = joinWarnings(context.settingsWarnings, loaded.warnings);
  const findings = [
    ...(await Promise.all(warnings.map(explainWarning))),
    ...Object.entries(loaded.configs).flatMap(([name, config]) => checkServer(name, config, { loaded, context })),
    ...(await findUnapproved(loaded, context)),
    ...findTwins(loaded),
    ...(await findMissingSettings(context, loaded)),
  ];
  const order = ["error", "warning", "hint"];
  findings.sort((a, b) => order.indexOf(a.level) - order.indexOf(b.level));
  const summary = {
    errors: count(findings, "error"),
    warnings: count(findings, "warning"),
    hints: count(findings, "hint"),
  };
  return {
    document: { findings, summary },
    text: render(findings, summary, context),
    report: true,
    exitStatus: summary.errors > 0 ? EXIT_STATUS.failed : EXIT_STATUS.fine,
  };
}

async function explainWarning(warning: DiscoveryWarning): Promise<Finding> {
  const { path, message, line, column, server } = warning;
  // A place in a file that belongs to no entry is where parsing ended.
  const fileIsLost = server === undefined && (line !== undefined || (await cannotBeRead(path)));
  return {
    level: fileIsLost ? "error" : "warning",
    message,
    fix: server === undefined ? `Correct ${path}` : `Correct the entry ${server} in ${path}, or set what it refers to`,
    path,
    ...(server === undefined ? {} : { server }),
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  };
}

async function cannotBeRead(path: string): Promise<boolean> {
  try {
    const stats = await stat(path);
    await access(path, constants.R_OK);
    return !stats.isFile();
  } catch (error) {
    // A label in place of a path, or a file that a setting names and that is not there.
    return error instanceof Error && Reflect.get(error, "code") !== "ENOENT";
  }
}

function checkServer(
  server: string,
  config: MCPServerConfig,
  { loaded, context }: { loaded: LoadedConfigs; context: CommandContext },
): Finding[] {
  const entry = loaded.entries[server];
  const path = loaded.sources[server]?.path;
  const subject = { server, ...(path === undefined ? {} : { path }) };
  const correct = `Correct the entry ${server}${path === undefined ? "" : ` in ${path}`}`;
  if (entry?.problem !== undefined) {
    return [{ level: "error", message: entry.problem.message, fix: correct, ...subject }];
  }
  const problems = validateServerConfig(server, config);
  if (problems.length > 0) {
    return [{ level: "error", message: `${server}: ${problems.join("; ")}`, fix: correct, ...subject }];
  }
  if (config.type === "http" || config.type === "sse") return [];
  const cwd = config.cwd ?? entry?.projectDirectory ?? context.cwd;
  const env = { ...context.env, ...config.env };
  if (findCommand(config.command, { env, platform: context.platform, cwd }) !== undefined) return [];
  const isPath = /[\\/]/.test(config.command);
  const searched = (env["PATH"] ?? env["Path"] ?? "").split(delimiter).filter((folder) => folder !== "");
  return [
    {
      level: "error",
      message: isPath
        ? `${server}: there is no program ${config.command} (from ${cwd})`
        : `${server}: there is no command ${config.command} on the PATH (searched: ${searched.join(", ") || "nothing"})`,
      fix: `Install ${config.command}, or write its absolute path${path === undefined ? "" : ` in ${path}`}`,
      ...subject,
    },
  ];
}

async function findUnapproved(loaded: LoadedConfigs, { trust, prefix }: CommandContext): Promise<Finding[]> {
  const names = Object.keys(loaded.configs).filter((name) => needsApproval(loaded.sources[name]));
  const findings = await Promise.all(
    names.map(async (server): Promise<Finding[]> => {
      const subject = subjectOf(loaded, server);
      if (await trust.isApproved(subject)) return [];
      const message = `${server} is declared by the project and not approved yet`;
      return [{ level: "hint", message, fix: `${prefix} trust ${server}`, server, path: subject.path }];
    }),
  );
  return findings.flat();
}

/** Equal processes under two names are two servers; that may be meant, or copied. */
function findTwins(loaded: LoadedConfigs): Finding[] {
  const byTarget = new Map<string, string[]>();
  for (const [name, config] of Object.entries(loaded.configs)) {
    if (transportOf(config) !== "stdio") continue;
    const { command, args = [], env = {}, cwd } = config as Extract<MCPServerConfig, { command: string }>;
    const key = JSON.stringify([command, args, Object.entries(env).toSorted(([a], [b]) => (a < b ? -1 : 1)), cwd]);
    byTarget.set(key, [...(byTarget.get(key) ?? []), name]);
  }
  return [...byTarget.values()]
    .filter((names) => names.length > 1)
    .map((names) => ({
      level: "hint",
      message: `${names.toSorted().join(" and ")} start the same program`,
      fix: "Disable all but one, unless several are meant",
    }));
}

async function findMissingSettings(context: CommandContext, loaded: LoadedConfigs): Promise<Finding[]> {
  const findings: Finding[] = [];
  const path = findNativeUserFile(context);
  const isThere = await stat(path).then(
    () => true,
    () => false,
  );
  if (!isThere) {
    const fix = `${context.prefix} add writes it; nothing needs it`;
    findings.push({ level: "hint", message: "You have no Toolgate configuration of your own", fix, path });
  }
  if (context.session?.model === undefined) {
    findings.push({
      level: "hint",
      message: "No model is configured: tools can be called, prompts cannot be answered",
      fix: "Configure a model for the chat; the mcp commands need none",
    });
  }
  if (Object.keys(loaded.configs).length === 0) {
    const fix = `${context.prefix} add NAME -- COMMAND`;
    findings.push({ level: "hint", message: "No MCP servers are configured", fix });
  }
  return findings;
}

function count(findings: readonly Finding[], level: Finding["level"]): number {
  return findings.filter((finding) => finding.level === level).length;
}

function render(
  findings: readonly Finding[],
  summary: { errors: number; warnings: number; hints: number },
  context: CommandContext,
): string {
  const { style } = context;
  const paint = { error: style.bad, warning: style.warning, hint: style.dim };
  const signs = { error: "✗", warning: "!", hint: "·" };
  const lines = findings.flatMap((finding) => {
    const place = finding.path === undefined ? "" : placeOf(finding, context);
    const fix = finding.path === undefined ? finding.fix : finding.fix.replaceAll(finding.path, place);
    return [
      `${paint[finding.level](signs[finding.level])} ${sanitizeLine(`${place === "" ? "" : `${place}: `}${finding.message}`)}`,
      `    ${style.accent(sanitizeLine(fix))}`,
    ];
  });
  const total = [
    formatCount(summary.errors, "error"),
    formatCount(summary.warnings, "warning"),
    formatCount(summary.hints, "hint"),
  ].join(", ");
  return [...lines, total].join("\n");
}

function placeOf({ path = "", line, column }: Finding, context: CommandContext): string {
  const place = line === undefined ? "" : `:${line}${column === undefined ? "" : `:${column}`}`;
  return formatPath(path, context) + place;
}
