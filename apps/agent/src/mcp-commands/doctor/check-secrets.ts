import { mcpProviders } from "@toolgate/capability-discovery";
import type { LoadedConfigs } from "@toolgate/mcp-manager";

import type { CommandContext } from "../command-context.ts";
import type { ConfiguredServer } from "./configured-server.ts";
import { listAllEntries, subjectFields } from "./configured-server.ts";
import type { PlainSecret } from "./find-plain-secrets.ts";
import { findPlainSecrets } from "./find-plain-secrets.ts";
import type { FindingDraft } from "./finding.ts";
import type { FileTracking } from "./tracked-files.ts";
import { readTracking } from "./tracked-files.ts";

/** Forms that refer to an environment variable, the plainest first. */
const VARIABLE_FORMS = ["${NAME}", "${env:NAME}", "{env:NAME}", "$NAME", "${{ secrets.NAME }}"] as const;

/** Secrets in plain text in files of the project, which others get with the repository. Never shows a value. */
export async function findCommittedSecrets(loaded: LoadedConfigs, context: CommandContext): Promise<FindingDraft[]> {
  const suspects = listAllEntries(loaded)
    .filter(({ source }) => source?.level === "project")
    .flatMap((server) => findPlainSecrets(server.entry.definition).map((secret) => ({ server, secret })));
  const paths = [...new Set(suspects.map(({ server }) => server.source?.path ?? ""))];
  const tracking = new Map(
    await Promise.all(paths.map(async (path) => [path, await readTracking(path, context)] as const)),
  );
  return suspects.flatMap(({ server, secret }) =>
    describeSecret(server, secret, tracking.get(server.source?.path ?? "") ?? "unknown"),
  );
}

function describeSecret(server: ConfiguredServer, secret: PlainSecret, tracking: FileTracking): FindingDraft[] {
  if (tracking === "ignored") return [];
  const isTracked = tracking === "tracked";
  const consequence = isTracked ? "git tracks the file" : "everyone gets it if this file is committed";
  return [
    {
      level: isTracked ? "warning" : "hint",
      check: "plain-secret",
      message: `${server.name}: ${secret.label} looks like a secret in plain text, and ${consequence}`,
      fix: fixOf(server, secret, isTracked),
      ...subjectFields(server),
      field: secret.field,
    },
  ];
}

function fixOf({ name, source }: ConfiguredServer, secret: PlainSecret, isTracked: boolean): string {
  const variable = variableFor(name, secret.name);
  const forms = mcpProviders.find(({ id }) => id === source?.provider)?.references ?? [];
  const form = VARIABLE_FORMS.find((candidate) => forms.includes(candidate));
  const move =
    form === undefined
      ? `Move it to an environment variable such as ${variable} and name that in the entry${fieldForCodex(source?.provider, secret)}`
      : `Move it to an environment variable and write ${form.replace("NAME", variable)} in its place`;
  return isTracked ? `${move}; the old value is in the history, so replace it by a new one` : move;
}

function variableFor(server: string, name: string): string {
  const isGeneral = /^(?:authorization|token|password)$/i.test(name);
  const words = isGeneral ? `${server}_${/^authorization$/i.test(name) ? "token" : name}` : name;
  const variable = words.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  return /^\d/.test(variable) ? `_${variable}` : variable;
}

/** Codex has no references in texts; fields of its own name variables. */
function fieldForCodex(provider: string | undefined, { field: [container], name }: PlainSecret): string {
  if (provider !== "codex") return "";
  if (container !== "http_headers") return ' ("env_vars")';
  return /^authorization$/i.test(name) ? ' ("bearer_token_env_var")' : ' ("env_http_headers")';
}
