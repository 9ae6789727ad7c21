import type { MCPServerConfig } from "@toolgate/contracts";
import { describe, expect, test } from "vitest";

import type { ReferenceForm } from "../src/interpolate.ts";
import { createUnexpandedEntry } from "../src/unexpanded-entry.ts";
import { writeEntry } from "../src/write-entry.ts";
import type { WriteRules } from "../src/write-rules.ts";

interface Variant {
  rules?: Partial<WriteRules>;
  /** Forms of the entry that is written. */
  from?: readonly ReferenceForm[];
  /** Forms that the client expands. */
  to?: readonly ReferenceForm[];
  name?: RegExp;
}

const ALL: WriteRules["transports"] = { stdio: true, http: "http", sse: "sse" };

function write(config: MCPServerConfig, { rules, from = [], to = [], name }: Variant = {}): Record<string, unknown> {
  const client = { displayName: "Client", rules: { transports: ALL, ...rules }, forms: to, name };
  return writeEntry("x", createUnexpandedEntry(config, from), client);
}

function reasons(config: MCPServerConfig, variant: Variant = {}): string[] {
  try {
    write(config, variant);
  } catch (error) {
    const [first, ...lines] = (error as Error).message.split("\n");
    expect(first).toBe('Server "x" cannot be written as Client writes servers:');
    expect(lines.pop()).toBe("Nothing was written.");
    return lines.map((line) => line.replace(/^- /, ""));
  }
  throw new Error("it was written");
}

describe("an entry is written as the client writes it", () => {
  test.each<[string, MCPServerConfig, Variant, object]>([
    ["without a type", { command: "c", args: ["a"] }, {}, { command: "c", args: ["a"] }],
    ["with a type", { command: "c" }, { rules: { transports: { stdio: "local" } } }, { type: "local", command: "c" }],
    [
      "with the client's word for HTTP",
      { type: "http", url: "https://x.test" },
      { rules: { transports: { http: "streamableHttp" } } },
      { type: "streamableHttp", url: "https://x.test" },
    ],
    [
      "with another field for the type",
      { type: "sse", url: "https://x.test" },
      { rules: { fields: { type: "transport" } } },
      { transport: "sse", url: "https://x.test" },
    ],
    [
      "with names of its own",
      { command: "c", env: { A: "1" }, cwd: "/w", includeTools: ["t"] },
      { rules: { fields: { command: "cmd", env: "environment", cwd: "dir", includeTools: "tools" } } },
      { cmd: "c", environment: { A: "1" }, dir: "/w", tools: ["t"] },
    ],
    [
      "with program and arguments in one list",
      { command: "c", args: ["a", "b"] },
      { rules: { commandList: true } },
      { command: ["c", "a", "b"] },
    ],
    ["with a list of the program alone", { command: "c" }, { rules: { commandList: true } }, { command: ["c"] }],
    [
      "with seconds",
      { command: "c", timeout: 1500, startupTimeout: 0 },
      { rules: { timeoutUnit: "s", fields: { timeout: "timeout", startupTimeout: "start" } } },
      { command: "c", timeout: 1.5, start: 0 },
    ],
    [
      "with what every entry has",
      { command: "c" },
      { rules: { constants: { source: "custom" } } },
      { source: "custom", command: "c" },
    ],
    [
      "switched off by enabled",
      { command: "c", enabled: false },
      { rules: { flag: "enabled" } },
      { command: "c", enabled: false },
    ],
    [
      "switched off by disabled",
      { command: "c", enabled: false },
      { rules: { flag: "disabled" } },
      { command: "c", disabled: true },
    ],
    [
      "switched on, which is nothing to say",
      { command: "c", enabled: true },
      { rules: { flag: "disabled" } },
      { command: "c" },
    ],
    [
      "with the bearer token as the header that it stands for",
      { type: "http", url: "https://x.test", auth: { type: "bearer", token: "${T}" } },
      { from: ["${NAME}"], to: ["${env:NAME}"], rules: { reference: "${env:NAME}" } },
      { type: "http", url: "https://x.test", headers: { Authorization: "Bearer ${env:T}" } },
    ],
  ])("%s", (_name, config, variant, expected) => {
    expect(write(config, variant)).toEqual(expected);
  });
});

describe("references are translated", () => {
  const every: [ReferenceForm, string][] = [
    ["${NAME}", "${A}"],
    ["${env:NAME}", "${env:A}"],
    ["{env:NAME}", "{env:A}"],
    ["$env:NAME", "$env:A"],
    ["$NAME", "$A"],
    ["%NAME%", "%A%"],
    ["${{ secrets.NAME }}", "${{ secrets.A }}"],
  ];
  test.each(every.flatMap(([from, a]) => every.map(([to, b]) => [from, to, a, b] as const)))(
    "from %s to %s",
    (from, to, a, b) => {
      const written = write(
        { command: `x-${a}/`, args: [a, "plain"] },
        { from: [from], to: [to], rules: { reference: to } },
      );
      expect(written).toEqual({ command: `x-${b}/`, args: [b, "plain"] });
    },
  );

  test("a default goes where there are defaults", () => {
    const from: ReferenceForm[] = ["${NAME}", "${NAME:-default}", "${env:NAME}"];
    const to: ReferenceForm[] = ["${NAME}", "${NAME:-default}"];
    const config = { command: "c", args: ["${A:-${env:B}/x}"] };
    expect(write(config, { from, to, rules: { reference: "${NAME}" } })).toEqual({
      command: "c",
      args: ["${A:-${B}/x}"],
    });
  });

  test("a reference of the client's own stays where the client has the same", () => {
    const forms: ReferenceForm[] = ["${workspaceFolder}", "${input:ID}", "{file:PATH}"];
    const config = { command: "${workspaceFolder}/c", args: ["${input:key}", "{file:~/key}"] };
    expect(write(config, { from: forms, to: forms })).toEqual(config);
  });
});

describe("what the client cannot say is refused", () => {
  test("with every reason at once, and without a value", () => {
    const config: MCPServerConfig = {
      type: "sse",
      url: "https://x.test/${A}",
      headers: { "X-Key": "s3cret ${B:-s3cret}" },
      timeout: 5,
      excludeTools: ["t"],
      protocol: "modern",
      oauth: { clientId: "s3cret" },
      enabled: false,
    };
    const variant: Variant = {
      rules: { transports: { stdio: true } },
      from: ["${NAME}", "${NAME:-default}"],
      name: /^[A-Z]+$/,
    };
    expect(reasons(config, variant)).toEqual([
      "url refers to the environment variable A, and Client expands none",
      "headers.X-Key refers to the environment variable B, and Client expands none",
      "Client lacks the transport sse",
      'Client has no field for "timeout"',
      'Client has no field for "excludeTools"',
      'Client has no field for "oauth"',
      'Client has no field for "protocol"',
      "it is switched off, and Client has no field for that",
      "its name must match ^[A-Z]+$",
    ]);
  });

  test.each<[string, MCPServerConfig, Variant, string]>([
    [
      "a default",
      { command: "c", env: { K: "${A:-s3cret}" } },
      { from: ["${NAME:-default}"], to: ["${NAME}"], rules: { reference: "${NAME}" } },
      "env.K has a default for the environment variable A, and Client knows no defaults",
    ],
    [
      "a place that it does not know",
      { command: "${workspaceFolder}/c" },
      { from: ["${workspaceFolder}"], to: ["${NAME}"], rules: { reference: "${NAME}" } },
      "command refers to ${workspaceFolder}, which Client does not know",
    ],
    [
      "an input",
      { command: "c", args: ["${input:key}"] },
      { from: ["${input:ID}"] },
      "args[0] refers to ${input:key}, which Client does not know",
    ],
    [
      "a file beside the original",
      { command: "c", args: ["{file:key}"] },
      { from: ["{file:PATH}"], to: ["{file:PATH}"] },
      "args[0] refers to {file:key}, whose path is relative to its own file",
    ],
    [
      "a literal text that would be a reference there",
      { command: "c", args: ["${A}"] },
      { from: [], to: ["${NAME}"], rules: { reference: "${NAME}" } },
      "args[0] holds text that Client would take for something else",
    ],
    [
      "a variable whose name its form does not allow",
      { command: "c", args: ["${env:A.B}"] },
      { from: ["${env:NAME}"], to: ["${NAME}"], rules: { reference: "${NAME}" } },
      "args[0] holds text that Client would take for something else",
    ],
    ["a working directory", { command: "c", cwd: "/w" }, {}, 'Client has no field for "cwd"'],
    [
      "a bearer token beside the header that it stands for",
      { type: "http", url: "https://x.test", headers: { authorization: "a" }, auth: { type: "bearer", token: "b" } },
      {},
      'Client has no field for "auth"',
    ],
  ])("%s", (_name, config, variant, reason) => {
    expect(reasons(config, variant)).toEqual([reason]);
  });

  test("a command of Toolgate's own that gives a credential", () => {
    const entry = {
      ...createUnexpandedEntry({ command: "c", env: { K: "!pass show k", L: "!" } }, []),
      hasCommands: true,
    };
    const client = { displayName: "Client", rules: { transports: ALL }, forms: [] };
    expect(() => writeEntry("x", entry, client)).toThrow("- env.K is a command, which only Toolgate runs\nNothing");
  });
});
