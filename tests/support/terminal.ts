import { execFile, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { applyChoice } from "../../apps/agent/src/first-run/apply-choice.ts";
import type { Scratch } from "../../apps/agent/test/support/scratch.ts";
import { waitFor } from "../../tooling/fixture-servers/index.mjs";
import { processesWith } from "./processes.ts";

const run = promisify(execFile);
const toolgate = fileURLToPath(new URL("../../apps/agent/bin/toolgate.js", import.meta.url));
const PROMPT = "›";
/** A screen that ends with the prompt, and above it the line that says how the session stands. */
const AT_PROMPT = /^([\s\S]*?)(?:(?:^|\n) toolgate · [^\n]*)?(?:^|\n)›\s*$/;

/** Whether there is a tmux to open terminals with. */
export const hasTmux: boolean = spawnSync("tmux", ["-V"]).status === 0;

/** Somebody in front of a terminal. */
export interface Terminal extends AsyncDisposable {
  /** Types text as it is, without Enter. */
  type: (text: string) => Promise<void>;
  /** Presses keys by tmux's names: `Enter`, `Tab`, `C-c`. */
  press: (...keys: string[]) => Promise<void>;
  /** Pastes a text as it is, between the marks that the program has asked for. */
  paste: (text: string) => Promise<void>;
  /** Enters a line at the prompt and waits for the next prompt; gives what came between. */
  answerTo: (line: string) => Promise<string>;
  /** Everything that has been shown, wrapped lines joined. */
  screen: () => Promise<string>;
  /** Waits until a text is shown; gives everything that has been. */
  shows: (text: string | RegExp) => Promise<string>;
  /** Waits until the prompt is the last thing on the screen, with this behind it. */
  showsPrompt: (typed?: string) => Promise<string>;
  /** Waits until a line of an input that goes on is the last thing on the screen, and empty. */
  showsContinuation: () => Promise<string>;
  /** Waits until the status line, cut to the width, stands above the prompt with this behind it. */
  showsStatus: (columns: number, typed: string) => Promise<string>;
  /** What the window shows now, without what has scrolled out of it. */
  window: () => Promise<string>;
  resize: (columns: number, rows: number) => Promise<void>;
  /** Keeps every byte that is written from now on in a file; gives what reads it. */
  record: (file: string) => Promise<() => string>;
  /** Waits until the program has ended; gives its exit status. */
  ended: () => Promise<number>;
}

/** What a terminal is opened with. */
export interface TerminalOptions {
  columns?: number;
  rows?: number;
  term?: string;
  /** Whether nothing was chosen yet among the servers of other clients. @default false */
  firstRun?: boolean;
  /** Variables beside those of the scratch. */
  env?: Record<string, string>;
  /** A script that is run instead of the command. */
  program?: string;
}

/** Starts `toolgate`, or another program, in a pseudo-terminal of its own. */
export async function openTerminal(
  scratch: Scratch,
  words: readonly string[] = [],
  {
    columns = 100,
    rows = 40,
    term = "screen-256color",
    firstRun = false,
    env = {},
    program = toolgate,
  }: TerminalOptions = {},
): Promise<Terminal> {
  if (!firstRun) await applyChoice([], [], { cwd: scratch.project, ...scratch, platform: process.platform });
  // What has ended stays on the screen, so that its last words and its status can be read.
  const settings = await scratch.write("tmux.conf", "set -g remain-on-exit on\nset -g history-limit 5000\n");
  const outer = { PATH: process.env["PATH"] ?? "", HOME: scratch.home, TMUX_TMPDIR: scratch.root, LANG: "C.UTF-8" };
  const tmux = async (...args: string[]): Promise<string> =>
    (await run("tmux", ["-u", "-L", "toolgate", ...args], { env: outer })).stdout;
  const inner = Object.entries({ ...scratch.env, ...env, TERM: term }).map(([name, value]) => `${name}=${value}`);
  const statusFile = scratch.file(`status-${randomUUID()}`);
  // The shell keeps the status, which tmux may miss, and outlives a Ctrl-C that is meant for the program.
  const keepStatus = ["sh", "-c", 'trap : INT; "$@"; echo $? > "$0"', statusFile];
  const command = [...keepStatus, "env", "-i", ...inner, process.execPath, program, ...words];
  const size = ["-x", String(columns), "-y", String(rows)];
  await tmux("-f", settings, "new-session", "-d", ...size, "-c", scratch.project, ...command);

  const screen = (): Promise<string> => tmux("capture-pane", "-p", "-J", "-S", "-");
  const type = async (text: string): Promise<void> => void (await tmux("send-keys", "-l", "--", text));
  const press = async (...keys: string[]): Promise<void> => void (await tmux("send-keys", "--", ...keys));
  const exitStatus = (): string | undefined =>
    existsSync(statusFile) ? /^\d+(?=\n)/.exec(readFileSync(statusFile, "utf8"))?.[0] : undefined;
  const lookFor = async <T>(look: (text: string) => T, what: string): Promise<NonNullable<T>> => {
    let last = "";
    const looked = waitFor(async () => look((last = await screen())), what);
    return looked.catch((error: unknown) => {
      throw new Error(`${String(error)}; the screen shows:\n${last}`, { cause: error });
    });
  };
  return {
    type,
    press,
    async paste(text) {
      await tmux("set-buffer", "--", text);
      await tmux("paste-buffer", "-p");
    },
    screen,
    async answerTo(line) {
      const echo = `${PROMPT} ${line}\n`;
      const before = (await screen()).split(echo).length;
      await type(line);
      await press("Enter");
      return lookFor((text) => {
        const parts = text.split(echo);
        if (parts.length <= before) return undefined;
        return AT_PROMPT.exec(parts.at(-1) ?? "")?.[1];
      }, `an answer to ${line}`);
    },
    shows: (wanted) =>
      lookFor(
        (text) => ((typeof wanted === "string" ? text.includes(wanted) : wanted.test(text)) ? text : undefined),
        String(wanted),
      ),
    showsPrompt: (typed = "") =>
      lookFor(
        (text) => (text.trimEnd().split("\n").at(-1) === `${PROMPT} ${typed}`.trimEnd() ? text : undefined),
        `the prompt and "${typed}"`,
      ),
    showsContinuation: () =>
      lookFor((text) => (text.trimEnd().split("\n").at(-1) === "…" ? text : undefined), "the next line of an input"),
    showsStatus: (width, typed) =>
      lookFor((text) => {
        const [status = "", line] = text.trimEnd().split("\n").slice(-2);
        const isWhole = status.length === width ? status.endsWith("…") : status.length < width && !status.endsWith("…");
        return status.startsWith(" toolgate · ") && isWhole && line === `${PROMPT} ${typed}` ? text : undefined;
      }, `the status in ${width} columns`),
    window: () => tmux("capture-pane", "-p", "-J"),
    async record(file) {
      await tmux("pipe-pane", `cat > '${file}'`);
      await waitFor(() => existsSync(file), "the record");
      return () => readFileSync(file, "utf8");
    },
    resize: async (width, height) => void (await tmux("resize-window", "-x", String(width), "-y", String(height))),
    ended: async () => Number(await waitFor(exitStatus, "the end of the program")),
    async [Symbol.asyncDispose]() {
      await tmux("kill-server");
      // The hang-up that comes with it ends the chat and its servers in their own time.
      await waitFor(() => processesWith(`HOME=${scratch.home}\0`).length === 0, "the end of the chat and its servers");
    },
  };
}
