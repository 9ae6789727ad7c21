import type { EntryField } from "./convert-entry.ts";
import type { ReferenceForm } from "./interpolate.ts";

/**
 * How a client writes an entry: the reverse of its reading rules. What cannot be said in the client's terms is refused,
 * never dropped.
 */
export interface WriteRules {
  /** What the client writes as `type`; `true` writes none. A transport that is absent is one that the client lacks. */
  transports: Partial<Record<"stdio" | "http" | "sse", string | true>>;
  /**
   * The client's names of the fields that it has beside `command`, `args`, `env`, `url` and `headers`, which have their
   * own names unless they are given here. A field without a name cannot be said.
   */
  fields?: Partial<Record<EntryField, string>>;
  /** Whether program and arguments are one list. @default false */
  commandList?: boolean;
  /** Unit of timeouts. @default "ms" */
  timeoutUnit?: "ms" | "s";
  /** The field that switches an entry off. Absent: an entry cannot be switched off where it stands. */
  flag?: "enabled" | "disabled";
  /** How the client refers to an environment variable. Absent: not at all. */
  reference?: ReferenceForm;
  /** Fields that every entry has, for example `{ source: "custom" }`. */
  constants?: Readonly<Record<string, unknown>>;
  /** Key, or path of keys, of the map of servers. @default `servers` of the reading rules, when that is one */
  key?: string | readonly string[];
}
