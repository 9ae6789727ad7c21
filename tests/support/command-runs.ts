import { expect, onTestFinished } from "vitest";

import { startModelServer } from "../../apps/agent/test/support/model-server.ts";
import type { ModelRequestOnWire, ModelStep } from "../../apps/agent/test/support/model-server.ts";
import type { Scratch } from "../../apps/agent/test/support/scratch.ts";
import { startServers } from "../../packages/mcp-client/test/auth/support/sign-in-fixture.ts";
import { npmServer } from "../../packages/mcp-client/test/support/npm-servers.ts";
import { fixtureServer } from "../../tooling/fixture-servers/index.mjs";
import { installCommand } from "./run-line.ts";

type Text = string | RegExp;

/** A line of a shell, and what must be seen of it. */
export interface CommandRun {
  line: string;
  stdin?: string;
  /** @default 0 */
  status?: number;
  stdout?: readonly Text[];
  stderr?: readonly Text[];
  /** What is in files afterwards; `~` is the home, `.` the project. */
  files?: Readonly<Record<string, Text>>;
  /** Whether stdout is one event of an agent per line. */
  isEvents?: boolean;
  /** Whether stdout is one JSON document. */
  isJson?: boolean;
  /** Whether somebody goes with a browser to the address that is shown. */
  hasBrowser?: boolean;
}

/** What runs are given beside servers and files. */
export interface Prepared {
  /** Variables of the environment. */
  env: Record<string, string>;
  /** What must hold after the runs. */
  check: () => void;
}

/** How a documented command is run, or which test does that. */
export type RunsOfCommand =
  | {
      /** Makes what is there before: servers, files, commands. @default the user's server `one` */
      prepare?: (scratch: Scratch) => Promise<Prepared | void>;
      /** One after the other, in one home and project. */
      runs: readonly CommandRun[];
    }
  | {
      /** The file that runs it, and how. */
      elsewhere: string;
      how: string;
    };

const OWN = "~/.config/toolgate/config.json";
const words = ({ command, args }: { command: string; args: string[] }): string =>
  [command, ...args].map((word) => `'${word}'`).join(" ");
const fixture = words(fixtureServer());

const withProjectServer = async (scratch: Scratch): Promise<void> => {
  await scratch.projectServers({ theirs: {} });
};

const withFiles = async (scratch: Scratch): Promise<void> => {
  await scratch.userServers({ files: { entry: npmServer("server-filesystem", scratch.project) } });
  await scratch.write("project/README.md", "# The project's own\n");
};

const withSignIn = async (scratch: Scratch): Promise<void> => {
  await scratch.userServers({ guarded: { entry: (await startServers()).config } });
};

/** A model of Anthropic's, which a stand-in answers for. */
async function withModel(
  steps: readonly ModelStep[],
  check: (requests: readonly ModelRequestOnWire[]) => void,
): Promise<Prepared> {
  const model = await startModelServer("anthropic", steps);
  onTestFinished(() => model[Symbol.asyncDispose]());
  return {
    env: { ANTHROPIC_API_KEY: "sk-documented", ANTHROPIC_BASE_URL: model.url },
    check: () => check(model.requests),
  };
}

const RUN_ONE: CommandRun = { line: "toolgate mcp list", stdout: [/✓ one +11 tools/] };

/** Each command of the documents. A name is put for NAME, an argument for `k=v`; the rest is as it is written there. */
export const COMMAND_RUNS: Readonly<Record<string, RunsOfCommand>> = {
  "npm start": { elsewhere: "tests/tour.test.ts", how: "what it runs once everything is built is `toolgate demo`" },
  "npm test": { elsewhere: ".ci/run.mjs", how: "it runs this very test" },
  "npm install @toolgate/agent": {
    elsewhere: ".ci/run.mjs",
    how: "a registry is not asked; what would be published is checked with publint",
  },
  "npm install --global @toolgate/agent && toolgate mcp list": {
    elsewhere: ".ci/run.mjs",
    how: "as above; `toolgate mcp list` is run for its own line",
  },

  toolgate: {
    runs: [
      {
        line: "toolgate",
        stdin: "/tools one\n/call mcp_one_echo text=typed\n/exit\n",
        stdout: [/^ toolgate · offline/m, "mcp_one_echo", /^typed$/m],
      },
    ],
  },
  "toolgate -p PROMPT": {
    runs: [
      {
        line: "toolgate -p 'mcp_one_echo text=answered' --allow mcp_one_echo",
        stdout: [/^answered\n$/],
        stderr: [/● mcp_one_echo/],
      },
      { line: "toolgate -p 'mcp_one_echo text=answered' --json --yes", isEvents: true, stdout: ['"answered"'] },
    ],
  },
  "toolgate demo": { elsewhere: "tests/tour.test.ts", how: "in a pipe, in a terminal, and interrupted" },
  "toolgate mcp list": {
    runs: [
      { ...RUN_ONE, stdout: ["Cursor · ~/.cursor/mcp.json", /✓ one +11 tools/] },
      { line: "toolgate mcp list --json", isJson: true, stdout: ['"name":"one"'] },
    ],
  },
  "toolgate mcp tools [server]": {
    runs: [
      { line: "toolgate mcp tools", stdout: ["mcp_one_echo", "The fixture's echo"] },
      { line: "toolgate mcp tools one", stdout: ["mcp_one_echo"] },
      { line: "toolgate mcp tools one --json", isJson: true, stdout: ['"required":["a","b"]'] },
    ],
  },
  "toolgate mcp call NAME k=v": {
    runs: [{ line: "toolgate mcp call one.echo text=called", stdout: [/^called\n$/] }],
  },
  "toolgate mcp sources": {
    runs: [{ line: "toolgate mcp sources", stdout: ["~/.cursor/mcp.json", "one"] }],
  },
  "toolgate mcp add|remove|enable|disable NAME": {
    runs: [
      {
        line: `toolgate mcp add new -- ${fixture}`,
        stdout: ["new: added", OWN],
        files: { [OWN]: /"mcpServers": \{\s+"new"/ },
      },
      { line: "toolgate mcp disable new", stdout: ["new: disabled", OWN], files: { [OWN]: '"disabledServers"' } },
      { line: "toolgate mcp call new.echo text=off", status: 1, stderr: ["new"] },
      { line: "toolgate mcp enable new", stdout: ["new: enabled", OWN] },
      { line: "toolgate mcp call new.echo text=on", stdout: [/^on\n$/] },
      { line: "toolgate mcp remove new", stdout: [`new: removed from ${OWN}`] },
      { line: "toolgate mcp call new.echo text=gone", status: 1, stderr: ["new"] },
    ],
  },
  "toolgate mcp add --paste": {
    runs: [
      {
        line: "toolgate mcp add --paste",
        stdin: `[mcp_servers.pasted]\ncommand = "node"\nargs = ["-v"]\n`,
        stdout: ["pasted: added"],
        files: { [OWN]: '"pasted"' },
      },
    ],
  },
  "toolgate mcp copy NAME --to CLIENT": {
    runs: [
      {
        line: "toolgate mcp copy one --to claude-code",
        stdout: ["one: copied to the new file ~/.claude.json, from ~/.cursor/mcp.json"],
        files: { "~/.claude.json": '"type": "stdio"' },
      },
    ],
  },
  "toolgate mcp test NAME": {
    runs: [
      { line: "toolgate mcp test one", stdout: [/one/, "11 tools"] },
      { line: "toolgate mcp test one --call echo text=tested", stdout: ["tested"] },
    ],
  },
  "toolgate mcp logs NAME": {
    runs: [RUN_ONE, { line: "toolgate mcp logs one", stdout: ["initialize", "tools/list"] }],
  },
  "toolgate mcp trace": {
    runs: [
      RUN_ONE,
      { line: "toolgate mcp trace", stdout: [/^mcp list · /, /^one +ready +11 tools/m] },
      {
        line: "toolgate mcp trace --html start.html",
        stdout: ["start.html"],
        files: { "./start.html": /<html[\s\S]*one/ },
      },
    ],
  },
  "toolgate mcp trust [NAME]": {
    prepare: withProjectServer,
    runs: [
      { line: "toolgate mcp call theirs.echo text=no", status: 4, stderr: ["toolgate mcp trust theirs"] },
      { line: "toolgate mcp trust", status: 4, stderr: ["theirs"] },
      { line: "toolgate mcp trust theirs", stdout: ["theirs"] },
      { line: "toolgate mcp call theirs.echo text=yes", stdout: [/^yes\n$/] },
    ],
  },
  "toolgate mcp auth|logout NAME": {
    prepare: withSignIn,
    runs: [
      { line: "toolgate mcp tools guarded", status: 4, stderr: ["toolgate mcp auth guarded"] },
      { line: "toolgate mcp auth guarded", hasBrowser: true, stdout: ["guarded"] },
      { line: "toolgate mcp tools guarded", stdout: ["mcp_guarded_"] },
      { line: "toolgate mcp logout guarded", stdout: ["guarded"] },
      { line: "toolgate mcp tools guarded", status: 4 },
    ],
  },
  "toolgate mcp doctor": {
    prepare: async (scratch) => {
      await scratch.userServers({ odd: { entry: { cmd: "node" } } });
    },
    runs: [
      { line: "toolgate mcp doctor", stdout: ['Rename "cmd" to "command" in the entry odd in ~/.cursor/mcp.json:3:5'] },
    ],
  },
  "toolgate mcp add": {
    elsewhere: "tests/add-terminal.test.ts",
    how: "in a terminal, where it asks; nobody is there to be asked in a pipe",
  },
  'eval "$(toolgate completion bash)"': {
    runs: [
      { line: 'eval "$(toolgate completion bash)" && complete -p toolgate', stdout: [/^complete .*toolgate\n$/] },
      { line: "toolgate completion zsh", stdout: ["compdef _toolgate toolgate"] },
      { line: "toolgate completion fish", stdout: ["complete -c toolgate"] },
    ],
  },

  "toolgate mcp call files.read_text_file path=README.md": {
    prepare: withFiles,
    runs: [{ line: "toolgate mcp call files.read_text_file path=README.md", stdout: [/^# The project's own\n/] }],
  },
  "toolgate mcp add files -- npx -y @modelcontextprotocol/server-filesystem .": {
    runs: [
      {
        line: "toolgate mcp add files -- npx -y @modelcontextprotocol/server-filesystem .",
        stdout: ["files: added"],
        files: { [OWN]: /"files": \{\s+"command": "npx"/ },
      },
    ],
  },
  "toolgate mcp add files --to cursor -- npx -y @modelcontextprotocol/server-filesystem .": {
    runs: [
      {
        line: "toolgate mcp add files --to cursor -- npx -y @modelcontextprotocol/server-filesystem .",
        stdout: ["files: added (~/.cursor/mcp.json)"],
        files: { "~/.cursor/mcp.json": /"files": \{\s+"command": "npx"/ },
      },
    ],
  },
  "pbpaste | toolgate mcp add --paste": {
    prepare: async (scratch) => {
      // The clipboard of a Mac.
      await installCommand(scratch, "pbpaste", `echo '{"mcpServers": {"pasted": {"command": "node"}}}'`);
    },
    runs: [{ line: "pbpaste | toolgate mcp add --paste", stdout: ["pasted: added"], files: { [OWN]: '"pasted"' } }],
  },
  "toolgate mcp copy files --to vscode --scope project": {
    prepare: withFiles,
    runs: [
      {
        line: "toolgate mcp copy files --to vscode --scope project",
        stdout: ["files: copied to the new file ./.vscode/mcp.json"],
        files: { "./.vscode/mcp.json": /"servers": \{\s+"files"/ },
      },
    ],
  },
  "toolgate mcp test files --call list_directory path=.": {
    prepare: withFiles,
    runs: [{ line: "toolgate mcp test files --call list_directory path=.", stdout: ["14 tools", "[FILE] README.md"] }],
  },
  "toolgate mcp logs files --protocol": {
    prepare: withFiles,
    runs: [
      { line: "toolgate mcp list", stdout: [/✓ files +14 tools/] },
      { line: "toolgate mcp logs files --protocol", stdout: ["initialize", "Secure MCP Filesystem Server"] },
    ],
  },
  "toolgate mcp trace --html start.html": {
    runs: [
      RUN_ONE,
      { line: "toolgate mcp trace --html start.html", stdout: ["start.html"], files: { "./start.html": "<html" } },
    ],
  },
  'toolgate -p "what is in this directory?"': {
    prepare: async (scratch) => {
      await withFiles(scratch);
      const look = { id: "1", name: "mcp_files_list_directory", arguments: { path: scratch.project } };
      return withModel([{ answer: { calls: [look] } }, { answer: { text: ["A README."] } }], ([, second]) =>
        expect(second?.text).toContain("[FILE] README.md"),
      );
    },
    runs: [
      {
        line: 'toolgate -p "what is in this directory?"',
        stdout: [/^A README\.\n$/],
        stderr: ["● mcp_files_list_directory"],
      },
    ],
  },
  "toolgate mcp trust NAME": {
    prepare: withProjectServer,
    runs: [{ line: "toolgate mcp trust theirs", stdout: ["theirs"] }],
  },
  "toolgate mcp choose": {
    runs: [
      { line: "toolgate mcp choose", status: 4, stderr: [/1 +one/, "toolgate mcp choose NAME…"] },
      { line: "toolgate mcp choose --none", stdout: ["not started: one", OWN], files: { [OWN]: '"disabledServers"' } },
    ],
  },
  "git diff | toolgate -p --model anthropic/claude-sonnet-5-5 --tools 'mcp_docs_*' --require docs": {
    prepare: async (scratch) => {
      await scratch.userServers({ docs: {}, other: {} });
      return withModel([{ answer: { text: ["Looks ", "good."] } }], (requests) => {
        expect(requests.map(({ body }) => body.model)).toEqual(["claude-sonnet-5-5"]);
        const names: string[] = requests[0]?.body.tools.map(({ name }: { name: string }) => name);
        expect(names.filter((name) => !name.startsWith("mcp_docs_"))).toEqual([]);
        expect(names).toContain("mcp_docs_echo");
        expect(requests[0]?.text).toContain("+after");
      });
    },
    runs: [
      { line: "git init -q && echo before > notes && git add notes && echo after > notes" },
      {
        line: "git diff | toolgate -p --model anthropic/claude-sonnet-5-5 --tools 'mcp_docs_*' --require docs",
        stdout: [/^Looks good\.\n$/],
      },
    ],
  },
  "toolgate -p": {
    runs: [
      {
        line: "toolgate -p --allow mcp_one_echo",
        stdin: "mcp_one_echo text='from the input'\n",
        stdout: [/^from the input\n$/],
      },
    ],
  },
  "toolgate mcp call": { runs: [{ line: "toolgate mcp call one.add a=2 b=40", stdout: [/^42\n$/] }] },
  "toolgate mcp disable NAME": {
    runs: [
      { line: "toolgate mcp disable one", stdout: ["one: disabled", OWN], files: { [OWN]: '"disabledServers"' } },
      { line: "toolgate mcp list", stdout: [/one +disabled/] },
    ],
  },
  "toolgate mcp NAME": { runs: [RUN_ONE, { line: "toolgate", stdin: "/mcp list\n", stdout: [/[✓…] one +11 tools/] }] },
  "toolgate mcp logs": {
    runs: [RUN_ONE, { line: "toolgate mcp logs one", stdout: ["tools/list"] }],
  },
};
