import { expect, test } from "vitest";

import { buildCommandLine, escapeBatchArgument } from "../../src/stdio/command-line.ts";

const env = { Path: "C:\\Tools;C:\\nodejs", PATHEXT: ".COM;.EXE;.BAT;.CMD", ComSpec: "C:\\Windows\\System32\\cmd.exe" };

function build(command: string, args: string[], existing: string[]) {
  const isExecutable = (path: string) => existing.some((one) => one.toLowerCase() === path.toLowerCase());
  return buildCommandLine({ command, args, env, platform: "win32", cwd: "C:\\work", isExecutable });
}

test("npx is found as npx.cmd and run by cmd.exe", () => {
  // The shell script of the same name beside it cannot be run there.
  const existing = ["C:\\nodejs\\npx", "C:\\nodejs\\npx.cmd"];
  expect(build("npx", ["-y", "@scope/server@1.0.0"], existing)).toEqual({
    file: "C:\\Windows\\System32\\cmd.exe",
    args: ["/e:ON", "/v:OFF", "/d", "/c", `""C:\\nodejs\\npx.CMD" -y @scope/server@1.0.0"`],
    windowsVerbatimArguments: true,
  });
});

test("a program is run without a shell", () => {
  expect(build("node", ["a b"], ["C:\\nodejs\\node.exe"])).toEqual({
    file: "C:\\nodejs\\node.EXE",
    args: ["a b"],
    windowsVerbatimArguments: false,
  });
});

test("what is not found is left to the system's own error", () => {
  expect(build("missing", ["x"], [])).toEqual({ file: "missing", args: ["x"], windowsVerbatimArguments: false });
});

test.each([
  ["plain-1.0", "plain-1.0"],
  ["", `""`],
  ["two words", `"two words"`],
  ["a&calc", `"a&calc"`],
  [`"&calc&"`, `"""&calc&"""`],
  [`back\\"quote`, `"back\\\\""quote"`],
  ["C:\\dir\\", `"C:\\dir\\\\"`],
  ["%PATH%", `"%%cd:~,%PATH%%cd:~,%"`],
  ["^|<>()", `"^|<>()"`],
])("the argument %j cannot leave its quotes", (argument, expected) => {
  expect(escapeBatchArgument(argument)).toBe(expected);
});

test("a line break, which would end the command line, is refused", () => {
  expect(() => escapeBatchArgument("a\ncalc")).toThrow("line break");
});
