import { isRecord, ToolgateError } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

import { convertEntry } from "./convert-entry.ts";
import { formsOf } from "./entry-item.ts";
import type { DeclaredEntry } from "./find-entry.ts";
import { splitReferences } from "./interpolate.ts";
import type { ReferenceForm, TextPart } from "./interpolate.ts";

/** An entry in our form whose references are not expanded: what may be written into another file. */
export interface UnexpandedEntry {
  config: MCPServerConfig;
  /** File of further environment variables. */
  envFile?: string;
  /** Splits one of the entry's texts into literal parts and references. */
  readonly split: (text: string) => TextPart[];
  /** Whether a credential that begins with `!` is a command. @default false */
  hasCommands?: boolean;
}

/** An entry whose texts have references of these forms. */
export function createUnexpandedEntry(config: MCPServerConfig, forms: readonly ReferenceForm[]): UnexpandedEntry {
  return { config, split: (text) => splitReferences(text, forms) };
}

/**
 * Converts a declared entry without expanding anything. Where a hook asks for an environment variable, it gets a
 * stand-in, which is a reference afterwards; so no value of the environment gets into the result.
 *
 * @throws ToolgateError `CONFIG_INVALID` when the entry cannot be used
 */
export function readUnexpandedEntry({ name, raw, rules, scope }: DeclaredEntry): UnexpandedEntry {
  const refuse = (reason: string): ToolgateError =>
    new ToolgateError("CONFIG_INVALID", `Server ${JSON.stringify(name)} of ${scope.path} cannot be used: ${reason}.`, {
      server: name,
    });
  // Nothing that is written by hand looks like it.
  const mark = crypto.randomUUID();
  const prepared =
    rules.prepare === undefined || !isRecord(raw)
      ? { entry: raw }
      : rules.prepare(raw, {
          name,
          scope,
          variable: (variable) => `<${mark}:${variable}>`,
          warn: (message) => scope.warn(message, name),
          fail: (message) => scope.warn(message, name),
        });
  if ("skip" in prepared) throw refuse("it is no MCP server");
  if ("invalid" in prepared) throw refuse(prepared.invalid);
  if ("unsupported" in prepared) throw refuse(`it needs ${prepared.unsupported}`);
  const converted = convertEntry(name, prepared.entry, rules.entry ?? {});
  if (converted.kind === "invalid") throw refuse(converted.problems.join("; "));
  if (converted.kind === "unsupported") throw refuse(`it needs ${converted.reason}`);
  const { config, envFile } = converted;
  const forms = formsOf(rules, scope.places.platform);
  return {
    config,
    ...(envFile === undefined ? {} : { envFile }),
    split: (text) => splitMarks(text, mark).flatMap((part) => splitLiteral(part, forms)),
  };
}

function splitLiteral(part: TextPart, forms: readonly ReferenceForm[]): TextPart[] {
  return typeof part === "string" ? splitReferences(part, forms) : [part];
}

function splitMarks(text: string, mark: string): TextPart[] {
  // Every second piece is the name of a variable.
  return text.split(new RegExp(`<${mark}:([^>]*)>`)).flatMap((piece, index): TextPart[] => {
    if (index % 2 === 0) return piece === "" ? [] : [piece];
    return [{ text: piece, form: "${env:NAME}", kind: "variable", name: piece }];
  });
}
