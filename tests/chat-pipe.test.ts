import { expect, test } from "vitest";

import { runToolgate } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { serversOf } from "./support/processes.ts";

const plain = { TERM: "dumb", NO_COLOR: "1" };
const ESCAPE = "\u001B";

test("the lines of a pipe are carried out one after the other, and its end ends the chat", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  const input = "/help\n/mcp list\n/tools one\n/call mcp_one_echo text=hi\n/nonsense\nsay something\n";
  const { status, stdout, stderr } = await runToolgate(scratch, [], { input, env: plain });
  expect(stdout + stderr).not.toContain(ESCAPE);
  expect(stderr).toBe("");
  expect(stdout).toContain(" toolgate · offline (no model: picks tools by words) · 1 server · 11 tools\n");
  const order = ["/call TOOL", "~/.cursor/mcp.json", "The fixture's echo", "\nhi\n", "no command /nonsense"];
  const places = order.map((text) => stdout.indexOf(text));
  expect(places).not.toContain(-1);
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(stdout).toContain("\nNo model is configured: the words of a prompt pick a tool.");
  expect(stdout.trimEnd()).toMatch(/None of the tools has words of this prompt[^\n]*$/);
  // Neither a prompt nor what was typed is repeated.
  expect(stdout).not.toContain("›");
  expect(status).toBe(0);
  expect(serversOf(scratch.home)).toEqual([]);
});

test("a line of a pipe that needs a slow server finds its tools", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ slow: { delays: { initialize: 700 } } });
  const { status, stdout } = await runToolgate(scratch, [], { input: "/call mcp_slow_echo text=there", env: plain });
  expect(stdout).toMatch(/^there$/m);
  expect(status).toBe(0);
});

test("what is pasted ends with complete JSON or with a dot, and the lines behind it are the chat's", async () => {
  await using scratch = await createScratch();
  const json = JSON.stringify({ one: { command: "node", args: ["-v"] } }, null, 2);
  const toml = '[mcp_servers.two]\ncommand = "node"\n\nargs = ["-v"]\n.';
  const input = `/mcp add --paste\n${json}\n/mcp add - --scope project\n${toml}\n/model\n`;
  const { status, stdout } = await runToolgate(scratch, [], { input, env: plain });
  expect(stdout).toContain("one: added (~/.config/toolgate/config.json)");
  expect(stdout).toContain("two: added (./.mcp.json)");
  expect(stdout.trimEnd().split("\n").at(-1)).toMatch(/^offline \(no model/);
  expect(status).toBe(0);
});

test("a line that ends with a backslash goes on in the next one", async () => {
  await using scratch = await createScratch();
  const input = "/call bash \\\ncommand='echo joined'\n/call bash command='echo last' \\";
  const { status, stdout } = await runToolgate(scratch, [], { input, env: plain });
  expect(stdout).toMatch(/^joined$/m);
  expect(stdout).toMatch(/^last$/m);
  expect(status).toBe(0);
});

test("nothing is read after /exit", async () => {
  await using scratch = await createScratch();
  const { status, stdout } = await runToolgate(scratch, [], { input: "/exit\n/help\n", env: plain });
  expect(stdout).not.toContain("/call TOOL");
  expect(status).toBe(0);
});

test("the greeting says how much of the configuration could not be used, and who knows more", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: { entry: { cmd: "node" } }, two: { entry: {} } });
  const { stdout } = await runToolgate(scratch, [], { input: "/mcp doctor\n", env: plain });
  expect(stdout).toContain("\n! 2 warnings: /mcp doctor\n");
  expect(stdout).toContain('Rename "cmd" to "command" in the entry one in ~/.cursor/mcp.json:3:5');
});

test("a pipe is not asked: a server of the project waits, and it is said how to approve it", async () => {
  await using scratch = await createScratch();
  await scratch.projectServers({ theirs: {} });
  const { status, stdout } = await runToolgate(scratch, [], { input: "y\n/mcp list\n", env: plain });
  expect(stdout).toContain("! theirs: declared by this project and not approved yet: /mcp trust");
  expect(stdout).toMatch(/^ {2}[^✓\s] theirs/m);
  expect(status).toBe(0);
});

test("what a tool answers cannot steer the terminal", async () => {
  await using scratch = await createScratch();
  await scratch.userServers({ one: {} });
  const input = `/call mcp_one_echo text="${ESCAPE}]0;title\u0007${ESCAPE}[31mred"\n`;
  const { stdout } = await runToolgate(scratch, [], { input, env: plain });
  expect(stdout).toContain("red");
  expect(stdout).not.toContain(ESCAPE);
});
