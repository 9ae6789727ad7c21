import { ToolgateError, transportOf } from "@toolgate/contracts";
import type { MCPServerConfig } from "@toolgate/contracts";

import type { EntryField } from "./convert-entry.ts";
import { mapTexts } from "./expand-config.ts";
import type { ReferenceForm } from "./interpolate.ts";
import { translateReferences } from "./translate-references.ts";
import type { UnexpandedEntry } from "./unexpanded-entry.ts";
import type { WriteRules } from "./write-rules.ts";

/** A client as its entries are written. */
export interface WritingClient {
  displayName: string;
  rules: WriteRules;
  /** The references that it expands. */
  forms: readonly ReferenceForm[];
  /** Names that it allows. @default any */
  name?: RegExp | undefined;
}

const SELF_NAMED: ReadonlySet<EntryField> = new Set<EntryField>(["type", "command", "args", "env", "url", "headers"]);

/** Fields in which Toolgate's own files may name a command that gives the value. */
const CREDENTIAL_FIELD = /^(?:env|headers|auth)\./;

/**
 * Turns an entry into a client's form.
 *
 * @throws ToolgateError `CONFIG_INVALID` with everything that the client cannot say; the message holds no value
 */
export function writeEntry(name: string, entry: UnexpandedEntry, client: WritingClient): Record<string, unknown> {
  const writer = new EntryWriter(client);
  const written = writer.write(entry);
  if (client.name !== undefined && !client.name.test(name)) writer.refuse(`its name must match ${client.name.source}`);
  if (writer.reasons.length === 0) return written;
  const reasons = writer.reasons.map((reason) => `\n- ${reason}`).join("");
  const message = `Server ${JSON.stringify(name)} cannot be written as ${client.displayName} writes servers:${reasons}\nNothing was written.`;
  throw new ToolgateError("CONFIG_INVALID", message, { server: name });
}

/** Collects the fields of one entry, and the reasons against it. */
class EntryWriter {
  readonly reasons: string[] = [];
  readonly #client: WritingClient;
  readonly #fields: Record<string, unknown>;

  constructor(client: WritingClient) {
    this.#client = client;
    this.#fields = { ...client.rules.constants };
  }

  write(entry: UnexpandedEntry): Record<string, unknown> {
    if (entry.hasCommands === true) this.#refuseCommands(entry.config);
    const config = mapTexts(this.#moveBearer(entry.config), (text, field) => this.#translate(text, field, entry));
    this.#writeType(config);
    if (config.type === "http" || config.type === "sse") {
      this.#put("url", config.url);
      this.#put("headers", config.headers);
    } else {
      this.#writeCommand(config);
      this.#put("env", config.env);
      this.#put("cwd", config.cwd);
      const { envFile } = entry;
      this.#put("envFile", envFile === undefined ? undefined : this.#translate(envFile, "envFile", entry));
    }
    this.#put("timeout", this.#toUnit(config.timeout));
    this.#put("startupTimeout", this.#toUnit(config.startupTimeout));
    this.#put("includeTools", config.includeTools);
    this.#put("excludeTools", config.excludeTools);
    this.#put("auth", config.auth);
    this.#put("oauth", config.oauth);
    this.#put("protocol", config.protocol);
    this.#writeFlag(config.enabled);
    return this.#fields;
  }

  refuse(reason: string): void {
    this.reasons.push(reason);
  }

  #nameOf(field: EntryField): string | undefined {
    return this.#client.rules.fields?.[field] ?? (SELF_NAMED.has(field) ? field : undefined);
  }

  #put(field: EntryField, value: unknown): void {
    if (value === undefined) return;
    const name = this.#nameOf(field);
    if (name === undefined) this.refuse(`${this.#client.displayName} has no field for "${field}"`);
    else this.#fields[name] = value;
  }

  #writeType(config: MCPServerConfig): void {
    const transport = transportOf(config);
    const type = this.#client.rules.transports[transport];
    if (type === undefined) this.refuse(`${this.#client.displayName} lacks the transport ${transport}`);
    else if (type !== true) this.#put("type", type);
  }

  #writeCommand({ command, args }: Extract<MCPServerConfig, { command: string }>): void {
    if (this.#client.rules.commandList === true) {
      this.#put("command", [command, ...(args ?? [])]);
      return;
    }
    this.#put("command", command);
    this.#put("args", args);
  }

  #writeFlag(enabled: boolean | undefined): void {
    const { flag } = this.#client.rules;
    if (flag === undefined) {
      if (enabled === false) this.refuse(`it is switched off, and ${this.#client.displayName} has no field for that`);
    } else if (flag === "disabled") {
      // Being on is what an entry is anyway.
      if (enabled === false) this.#fields[flag] = true;
    } else if (enabled !== undefined) this.#fields[flag] = enabled;
  }

  #toUnit(milliseconds: number | undefined): number | undefined {
    return milliseconds === undefined || this.#client.rules.timeoutUnit !== "s" ? milliseconds : milliseconds / 1000;
  }

  /** A client without a field for the bearer token gets the header that it stands for. */
  #moveBearer(config: MCPServerConfig): MCPServerConfig {
    if (config.auth === undefined || this.#nameOf("auth") !== undefined) return config;
    if (config.type !== "http" && config.type !== "sse") return config;
    const { auth, headers = {}, ...rest } = config;
    if (Object.keys(headers).some((header) => header.toLowerCase() === "authorization")) return config;
    return { ...rest, headers: { ...headers, Authorization: `Bearer ${auth.token}` } };
  }

  #refuseCommands(config: MCPServerConfig): void {
    mapTexts(config, (text, field) => {
      if (/^!./s.test(text) && CREDENTIAL_FIELD.test(field))
        this.refuse(`${field} is a command, which only Toolgate runs`);
      return text;
    });
  }

  #translate(text: string, field: string, entry: UnexpandedEntry): string {
    const { displayName, rules, forms } = this.#client;
    const translation = translateReferences(entry.split(text), { displayName, reference: rules.reference, forms });
    if ("text" in translation) return translation.text;
    this.refuse(`${field} ${translation.reason}`);
    return text;
  }
}
