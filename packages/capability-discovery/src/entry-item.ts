import { parseEnv } from "node:util";

import { isRecord, ToolgateError, transportOf, validateServerConfig } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

import type { LoadContext, ProviderSource } from "./capability.ts";
import { readConfigFile } from "./config-file.ts";
import { convertEntry, fieldNames } from "./convert-entry.ts";
import type { EntryField, EntryRules } from "./convert-entry.ts";
import { isNestedTooDeeply } from "./entry-depth.ts";
import { expandConfig, findFileReferences } from "./expand-config.ts";
import type { FieldReference } from "./expand-config.ts";
import type { FileRules, FileScope, ServerGroup, ServerProviderItem, WarningDetails } from "./file-provider.ts";
import { expandReferences } from "./interpolate.ts";
import type { ReferenceForm, ReferenceScope } from "./interpolate.ts";
import { findMisspeltFields } from "./misspelt-fields.ts";
import { baseName, lookUpVariable, resolvePath, separatorOf } from "./places.ts";

/** What a hook may use to read one entry. */
export interface EntryTools {
  name: string;
  scope: FileScope;
  /** An environment variable as it is set, an empty one included. */
  readonly variable: (name: string) => string | undefined;
  /** Adds a warning about this entry. */
  readonly warn: (message: string) => void;
  /**
   * Marks the server as one that cannot start for now. The message says what is missing and where to set it; `variable`
   * is the environment variable that would mend it.
   */
  readonly fail: (message: string, variable?: string) => void;
}

/**
 * Changes an entry into the common form. The argument must not be changed.
 *
 * @returns the entry to convert, `{ skip: true }` for what is no MCP server at all, `{ unsupported }` for what Toolgate
 * lacks, `{ invalid }` for an entry that the client refuses
 */
export type EntryHook = (
  entry: Record<string, unknown>,
  tools: EntryTools,
) => { entry: Record<string, unknown> } | { skip: true } | { unsupported: string } | { invalid: string };

/** One entry with everything that is needed to read it. */
export interface EntryInput {
  name: string;
  raw: unknown;
  group: ServerGroup;
  rules: FileRules;
  scope: FileScope;
  context: LoadContext;
}

/** Turns one entry into an item, or into a warning that names it. */
export async function createServerItem(input: EntryInput): Promise<ServerProviderItem | undefined> {
  const { name, raw, rules, scope } = input;
  const label = `Server ${JSON.stringify(name)}`;
  const refuse = (reason: string, details: WarningDetails = { kind: "invalid-entry" }): undefined => {
    scope.warn(`${label} is left out: ${reason}.`, name, details);
    return undefined;
  };
  if (name.trim() === "") return refuse("it has an empty name");
  if (isNestedTooDeeply(raw)) return refuse("the entry is nested too deeply or too large");
  let problem: ToolgateError | undefined;
  const fail = (code: "CONFIG_INVALID" | "SUBSTITUTION_FAILED", message: string, variable?: string): void => {
    problem ??= new ToolgateError(code, `${label} of ${scope.path} cannot start: ${message}`, {
      server: name,
      ...(variable === undefined ? {} : { data: { variable } }),
    });
  };
  const prepared =
    rules.prepare === undefined || !isRecord(raw)
      ? { entry: raw }
      : rules.prepare(raw, {
          name,
          scope,
          variable: (variable) => lookUpVariable(scope.places, variable),
          warn: (message) => scope.warn(`${label}: ${message}`, name),
          fail: (message, variable) => fail("SUBSTITUTION_FAILED", message, variable),
        });
  if ("skip" in prepared) return undefined;
  if ("invalid" in prepared) return refuse(prepared.invalid);
  const item = (config: MCPServerConfig): ServerProviderItem => ({
    name,
    config,
    definition: raw,
    ...(scope.projectDirectory === undefined ? {} : { projectDirectory: scope.projectDirectory }),
    ...(input.group.scope === undefined ? {} : { scope: input.group.scope }),
    _source: sourceOf(input),
  });
  if ("unsupported" in prepared) {
    return { ...item({ command: "", enabled: false }), unsupported: prepared.unsupported };
  }
  const converted = convertEntry(name, prepared.entry, rules.entry ?? {});
  if (converted.kind === "invalid") {
    const { reason, details } = explainInvalid(converted.problems, prepared.entry, rules.entry ?? {});
    return refuse(reason, details);
  }
  if (converted.kind === "unsupported") return { ...item(converted.config), unsupported: converted.reason };
  if (isRecord(prepared.entry)) {
    for (const { written, expected } of findMisspeltFields(
      prepared.entry,
      rules.entry ?? {},
      transportOf(converted.config),
    )) {
      const message = `${label}: "${written}" is not read; this client calls it "${expected}"`;
      scope.warn(message, name, { kind: "misspelt-field", subject: written, expected });
    }
  }
  const { config, unresolved, envFileProblem } = await expandEntry(converted, input);
  if (envFileProblem !== undefined) {
    const { path, reason } = envFileProblem;
    scope.warn(`${label}: its envFile ${path} ${reason}`, name, { kind: "missing-env-file", subject: path });
  }
  for (const reference of unresolved) {
    if (reference.kind === "input") {
      fail("SUBSTITUTION_FAILED", describeMissingInput(reference, scope), inputVariable(reference.name));
      continue;
    }
    const kind = reference.kind === "file" ? "unreadable-reference" : "unset-variable";
    scope.warn(`${label}: ${describeUnset(reference, rules)}`, name, { kind, subject: reference.name });
  }
  const problems = validateServerConfig(name, config);
  // It was right before expansion, so what it expands to is what is wrong with it.
  if (problems.length > 0) fail("CONFIG_INVALID", `after expansion ${problems.join("; ")}`);
  return problem === undefined ? item(config) : { ...item(config), problem };
}

/** What is wrong with an entry that is left out, with the fields that were probably meant. */
function explainInvalid(
  problems: readonly string[],
  entry: unknown,
  rules: EntryRules,
): { reason: string; details: WarningDetails } {
  const misspelt = isRecord(entry) ? findMisspeltFields(entry, rules) : [];
  const [first] = misspelt;
  const hints = misspelt.map(({ written, expected }) => `"${written}" is not read, the field is called "${expected}"`);
  const reason = [...problems, ...hints].join("; ");
  if (first !== undefined) {
    return { reason, details: { kind: "misspelt-field", subject: first.written, expected: first.expected } };
  }
  const isUntyped = rules.untypedUrl === "stdio" && isRecord(entry) && isUntypedAddress(entry, rules);
  return { reason, details: { kind: isUntyped ? "untyped-url" : "invalid-entry" } };
}

function isUntypedAddress(entry: Record<string, unknown>, rules: EntryRules): boolean {
  const has = (field: EntryField): boolean => fieldNames(field, rules).some((name) => Object.hasOwn(entry, name));
  return has("url") && !has("type") && !has("command");
}

function sourceOf({ group, scope }: EntryInput): ProviderSource {
  const { path, level } = scope;
  return group.origin === undefined ? { path, level } : { path, level, origin: group.origin };
}

function describeUnset(reference: FieldReference, rules: FileRules): string {
  const subject = reference.kind === "file" ? "cannot be read" : `is not set`;
  const result = rules.unset === "empty" && reference.kind === "variable" ? "is empty" : "stays as it is written";
  return `${reference.text} in ${reference.field} ${result}, because ${reference.name} ${subject}`;
}

function describeMissingInput(reference: FieldReference, scope: FileScope): string {
  const declared = findInput(scope.document, reference.name);
  const purpose = typeof declared?.["description"] === "string" ? ` (${declared["description"]})` : "";
  const variable = inputVariable(reference.name);
  return `${reference.field} needs a value for the input "${reference.name}"${purpose}. Set the environment variable ${variable} and reload.`;
}

/** The environment variable that answers a declared input: `TOOLGATE_INPUT_` and the id in capitals. */
export function inputVariable(id: string): string {
  return `TOOLGATE_INPUT_${id.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_")}`;
}

function findInput(document: Record<string, unknown>, id: string): Record<string, unknown> | undefined {
  const inputs = Object.hasOwn(document, "inputs") ? document["inputs"] : undefined;
  return Array.isArray(inputs) ? inputs.filter(isRecord).find((input) => input["id"] === id) : undefined;
}

interface ExpandedEntry {
  config: MCPServerConfig;
  unresolved: FieldReference[];
  envFileProblem?: { path: string; reason: string };
}

async function expandEntry(
  converted: { config: MCPServerConfig; envFile?: string },
  input: EntryInput,
): Promise<ExpandedEntry> {
  const forms = formsOf(input.rules, input.scope.places.platform);
  if (forms.length === 0 && converted.envFile === undefined) return { config: converted.config, unresolved: [] };
  const rules = { forms, ...(input.rules.unset === undefined ? {} : { unset: input.rules.unset }) };
  const references = await createReferenceScope(converted.config, input);
  const { config, unresolved } = expandConfig(converted.config, (text) => expandReferences(text, rules, references));
  if (converted.envFile === undefined || config.type === "http" || config.type === "sse") return { config, unresolved };
  const envFile = expandReferences(converted.envFile, rules, references);
  unresolved.push(...envFile.unresolved.map((reference) => ({ ...reference, field: "envFile" })));
  const path = resolvePath(baseFolder(input.scope), envFile.value);
  const file = await readConfigFile(path);
  if (file.state !== "read") {
    const reason = file.state === "absent" ? "does not exist" : file.message;
    return { config, unresolved, envFileProblem: { path, reason } };
  }
  const env = { ...(parseEnv(file.text) as Record<string, string>), ...config.env };
  return { config: { ...config, env }, unresolved };
}

/** The references that a client expands on a platform. */
export function formsOf(rules: FileRules, platform: NodeJS.Platform): readonly ReferenceForm[] {
  const { references = [], windowsReferences = [] } = rules;
  return platform === "win32" ? [...references, ...windowsReferences] : references;
}

function baseFolder({ projectDirectory, projectFolders, places }: FileScope): string {
  return projectDirectory ?? projectFolders.at(-1) ?? places.cwd;
}

async function createReferenceScope(config: MCPServerConfig, input: EntryInput): Promise<ReferenceScope> {
  const { scope } = input;
  const { places } = scope;
  const workspaceFolder = baseFolder(scope);
  const separator = separatorOf(workspaceFolder);
  const files = await readReferencedFiles(config, input);
  return {
    variable: (name) => lookUpVariable(places, name),
    input: (id) => {
      const answer = places.variable(inputVariable(id));
      if (answer !== undefined) return answer;
      const preset = findInput(scope.document, id)?.["default"];
      return typeof preset === "string" ? preset : undefined;
    },
    file: (path) => files.get(path),
    names: {
      userHome: places.home,
      workspaceFolder,
      workspaceFolderBasename: baseName(workspaceFolder),
      pathSeparator: separator,
      "/": separator,
    },
  };
}

/** Files that `{file:…}` names, relative to the folder of the configuration file; `~/` is the home directory. */
async function readReferencedFiles(config: MCPServerConfig, input: EntryInput): Promise<Map<string, string>> {
  const { path, level, places } = input.scope;
  // A document in an environment variable lies in no folder.
  const folder = level === "runtime" ? places.cwd : resolvePath(path, "..");
  const texts = await Promise.all(
    findFileReferences(config, formsOf(input.rules, input.scope.places.platform)).map(async (name) => {
      const target = name.startsWith("~/") ? places.join(places.home, name.slice(2)) : resolvePath(folder, name);
      const file = await readConfigFile(target);
      return file.state === "read" ? ([name, file.text.trim()] as const) : undefined;
    }),
  );
  return new Map(texts.filter((text) => text !== undefined));
}
