import { execFile, spawnSync } from "node:child_process";
import { chmod } from "node:fs/promises";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { expect, test } from "vitest";

import { runToolgate } from "../support/run-toolgate.ts";
import { createScratch } from "../support/scratch.ts";

const bin = fileURLToPath(new URL("../../bin/toolgate.js", import.meta.url));

test.each([
  [["mc"], ["mcp"]],
  [
    ["cache", ""],
    ["path", "clear"],
  ],
  [["completion", "b"], ["bash"]],
  [["mcp", "rec"], ["reconnect"]],
  [["mcp", "test", "g"], ["good"]],
  [
    ["mcp", "enable", ""],
    ["good", "off"],
  ],
  [["mcp", "copy", "good", "--to", "vsc"], ["vscode"]],
  [["mcp", "logs", "good", "--f"], ["--follow"]],
  [["mcp", "add", "x", "--", "--"], []],
  [["nonsense", ""], []],
])("%j may become %j, and nothing is started for that", async (words, candidates) => {
  await using scratch = await createScratch();
  const log = scratch.file("started");
  await scratch.userServers({
    good: { entry: { command: "touch", args: [log] } },
    off: { entry: { command: "node", enabled: false } },
    "bad\nname": { entry: { command: "node" } },
  });
  const { status, stdout, stderr } = await runToolgate(scratch, ["__complete", "--", ...words]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout.split("\n").filter((line) => line !== "")).toEqual(candidates);
  expect((await runToolgate(scratch, ["--help"])).stdout).not.toContain("__complete");
});

const shells = [
  {
    shell: "bash",
    use: 'eval "$(toolgate completion bash)"; COMP_WORDS=(toolgate mcp test g); COMP_CWORD=3; _toolgate; printf "%s\\n" "${COMPREPLY[@]}"',
  },
  {
    shell: "zsh",
    use: 'compdef() { :; }; compadd() { shift; print -l -- "$@"; }; eval "$(toolgate completion zsh)"; words=(toolgate mcp test g); CURRENT=4; _toolgate',
  },
  { shell: "fish", use: 'toolgate completion fish | source; complete -C "toolgate mcp test g"' },
];

test.each(shells)("$shell completes with its script", async ({ shell, use }) => {
  if (spawnSync(shell, ["-c", "exit 0"]).status !== 0) {
    // oxlint-disable-next-line no-console -- a test that cannot run says why
    console.warn(`The completion of ${shell} is not tested: there is no ${shell} here.`);
    return;
  }
  await using scratch = await createScratch();
  await scratch.userServers({ good: { entry: { command: "node" } } });
  const command = await scratch.write("bin/toolgate", `#!/bin/sh\nexec '${process.execPath}' '${bin}' "$@"\n`);
  await chmod(command, 0o755);
  const env = { ...scratch.env, PATH: `${dirname(command)}:${scratch.env["PATH"] ?? ""}` };
  const { stdout } = await promisify(execFile)(shell, ["-c", use], { cwd: scratch.project, env });
  expect(stdout).toBe("good\n");
});
