/** Where a new server is written to. */
export type WriteScope = "user" | "project";

/** One `/mcp` command, as it was typed. */
export type MCPCommand =
  | { name: "list" }
  | { name: "tools"; server?: string }
  | {
      name: "call";
      /** In any form that `findTool` understands. */
      reference: string;
      /** `key=value` pairs, not interpreted yet. */
      pairs: string[];
      /** A JSON object, or `-` for standard input. */
      json?: string;
    }
  | { name: "sources" }
  | { name: "resources"; server?: string }
  | { name: "read"; server?: string; uri: string }
  | { name: "prompts"; server?: string }
  | { name: "prompt"; server: string; prompt: string; pairs: string[] }
  | {
      name: "add";
      server: string;
      scope: WriteScope;
      replace: boolean;
      command: string[];
      url?: string;
      transport?: "http" | "sse";
      env: Record<string, string>;
      headers: Record<string, string>;
      /** Id of the client whose file it goes to. @default Toolgate's own, or `.mcp.json` */
      to?: string;
    }
  | {
      name: "add-pasted";
      /** In any client's form. @default what is read from the input */
      text?: string;
      /** What a single entry without a name is called. */
      as?: string;
      scope: WriteScope;
      to?: string;
      replace: boolean;
      /** Writes without asking. */
      yes: boolean;
    }
  /** Asks for everything that is not given. */
  | { name: "add-asked"; scope?: WriteScope; to?: string; replace: boolean }
  | {
      name: "copy";
      server: string;
      /** Id of the client whose file gets the copy. */
      to: string;
      scope: WriteScope;
      /** Id of the client whose entry is copied. @default that of the entry that is used */
      from?: string;
      /** Name of the copy. @default that of the original */
      as?: string;
      replace: boolean;
    }
  | { name: "remove"; server: string; scope?: WriteScope }
  | { name: "enable"; server: string; inSource: boolean }
  | { name: "disable"; server: string; inSource: boolean }
  | {
      name: "test";
      server?: string;
      /** A tool of that server, to be called with the pairs. */
      tool?: string;
      /** `key=value` pairs, not interpreted yet. */
      pairs: string[];
    }
  | {
      name: "logs";
      server: string;
      /** Goes on until it is interrupted. */
      follow: boolean;
      /** Shows what messages said, secrets masked. */
      protocol: boolean;
    }
  | { name: "auth"; server: string }
  | { name: "logout"; server: string }
  | { name: "trust"; servers: string[]; revoke: boolean }
  | {
      name: "choose";
      servers: string[];
      /** In place of names. */
      which?: "all" | "none";
    }
  | { name: "doctor" }
  | {
      name: "trace";
      /** File that the page is written to. @default none: drawn in the terminal */
      html?: string;
    }
  | { name: "reload" }
  | { name: "reconnect"; server: string };
