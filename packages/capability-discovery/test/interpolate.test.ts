import { describe, expect, test } from "vitest";

import { expandReferences } from "../src/interpolate.ts";
import type { ReferenceForm } from "../src/interpolate.ts";

const values: Record<string, string> = { A: "1", B: "2", EMPTY: "", TRICKY: "${B}", "X.Y": "dotted" };
const scope = {
  variable: (name: string): string | undefined => values[name],
  input: (id: string): string | undefined => (id === "token" ? "secret" : undefined),
  file: (path: string): string | undefined => (path === "/f" ? "text" : undefined),
  names: { userHome: "/home/me", workspaceFolder: "/w", "/": "/" },
};

function expand(text: string, forms: ReferenceForm[], unset?: "empty"): { value: string; unresolved: string[] } {
  const rules = unset === undefined ? { forms } : { forms, unset };
  const { value, unresolved } = expandReferences(text, rules, scope);
  return { value, unresolved: unresolved.map((reference) => `${reference.kind} ${reference.name}`) };
}

const CLAUDE: ReferenceForm[] = ["${NAME}", "${NAME:-default}"];
const EDITOR: ReferenceForm[] = ["${env:NAME}", "${input:ID}", "${userHome}", "${workspaceFolder}", "${/}"];
const GEMINI: ReferenceForm[] = ["$NAME", "${NAME}", "%NAME%"];
const OPENCODE: ReferenceForm[] = ["{env:NAME}", "{file:PATH}"];

describe("references", () => {
  test.each<[string, ReferenceForm[], string, string[]]>([
    ["${A}", CLAUDE, "1", []],
    ["a${A}b${B}c", CLAUDE, "a1b2c", []],
    ["${EMPTY}", CLAUDE, "", []],
    ["${EMPTY:-d}", CLAUDE, "", []],
    ["${NO:-d}", CLAUDE, "d", []],
    ["${NO:-}", CLAUDE, "", []],
    ["${NO:-${A}}", CLAUDE, "1", []],
    ["${NO:-x${NO2:-y${B}}z}w", CLAUDE, "xy2zw", []],
    ["${NO:-${NO2}}", CLAUDE, "${NO2}", ["variable NO2"]],
    ["${A:-${NO2}}", CLAUDE, "1", []],
    ["${NO}", CLAUDE, "${NO}", ["variable NO"]],
    ["${TRICKY}", CLAUDE, "${B}", []],
    ["${_R%/}", CLAUDE, "${_R%/}", []],
    ["$A %A% {env:A} ${env:A} $env:A", CLAUDE, "$A %A% {env:A} ${env:A} $env:A", []],
    ["${", CLAUDE, "${", []],
    ["${A", CLAUDE, "${A", []],
    ["${NO:-${A}", CLAUDE, "${NO:-1", []],
    ["${}", CLAUDE, "${}", []],
    ["$${A}", CLAUDE, "$1", []],
    ["${env:A}", EDITOR, "1", []],
    ["${env:X.Y}", EDITOR, "dotted", []],
    ["${A}", EDITOR, "${A}", []],
    ["${userHome}${/}x", EDITOR, "/home/me/x", []],
    ["${workspaceFolder}", EDITOR, "/w", []],
    ["${input:token}", EDITOR, "secret", []],
    ["${input:other}", EDITOR, "${input:other}", ["input other"]],
    ["$A-${B}-%A%-$", GEMINI, "1-2-1-$", []],
    ["{env:A}{file:/f}", OPENCODE, "1text", []],
    ["{env:NO}{file:/no}", OPENCODE, "{env:NO}{file:/no}", ["variable NO", "file /no"]],
    ["${A}", OPENCODE, "${A}", []],
    ["$env:A", ["$env:NAME", "$NAME"], "1", []],
    ["${{ secrets.A }}", ["${{ secrets.NAME }}"], "1", []],
    ["${{ inputs.token }}", ["${{ inputs.NAME }}"], "secret", []],
  ])("%s with %j", (text, forms, value, unresolved) => {
    expect(expand(text, forms)).toEqual({ value, unresolved });
  });

  test("an unset variable is empty where the client has it so", () => {
    expect(expand("a$NO${NO}b", GEMINI, "empty")).toEqual({ value: "ab", unresolved: ["variable NO", "variable NO"] });
  });
});
