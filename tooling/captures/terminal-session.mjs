import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtemp, realpath, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";

const run = promisify(execFile);
const POLL_MS = 100;
const LONGEST_WAIT_MS = 120_000;

/**
 * Opens a program in a terminal of tmux's, in an empty home and working directory of its own.
 *
 * @param {readonly string[]} command
 * @param {{ columns: number, rows: number }} size
 */
export async function openTerminalSession(command, { columns, rows }) {
  const root = await realpath(await mkdtemp(join(tmpdir(), "toolgate-captures-")));
  const settings = join(root, "tmux.conf");
  await writeFile(settings, "set -g remain-on-exit on\nset -g default-terminal tmux-256color\n");
  const env = { PATH: process.env["PATH"] ?? "", HOME: root, TMUX_TMPDIR: root, LANG: "C.UTF-8" };
  const socket = `captures-${randomUUID()}`;
  /** @param {string[]} words */
  const tmux = async (...words) => (await run("tmux", ["-u", "-L", socket, ...words], { env })).stdout;
  await tmux("-f", settings, "new-session", "-d", "-x", `${columns}`, "-y", `${rows}`, "-c", root, ...command);

  const plain = () => tmux("capture-pane", "-p");
  return {
    /** What is on the screen now, with its colours. */
    styled: () => tmux("capture-pane", "-p", "-e"),
    /** @param {string} text */
    type: (text) => tmux("send-keys", "-l", "--", text),
    /** @param {string[]} keys - By tmux's names. */
    press: (...keys) => tmux("send-keys", "--", ...keys),
    /**
     * Waits until the screen shows something.
     *
     * @param {RegExp} wanted
     */
    async shows(wanted) {
      for (let waited = 0; waited < LONGEST_WAIT_MS; waited += POLL_MS) {
        if (wanted.test(await plain())) return;
        await delay(POLL_MS);
      }
      throw new Error(`The terminal does not show ${wanted}:\n${await plain()}`);
    },
    async close() {
      await tmux("kill-server");
      await rm(root, { recursive: true, force: true });
    },
  };
}
