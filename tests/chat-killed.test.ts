import { readFile } from "node:fs/promises";

import { expect, test } from "vitest";

import { startModelServer } from "../apps/agent/test/support/model-server.ts";
import { startToolgate } from "../apps/agent/test/support/run-toolgate.ts";
import { createScratch } from "../apps/agent/test/support/scratch.ts";
import { waitFor } from "../tooling/fixture-servers/index.mjs";
import { processesWith, serversOf } from "./support/processes.ts";

test.each(["SIGKILL", "SIGTERM", "SIGHUP"] as const)(
  "a chat that is ended by %s in the middle of a turn leaves no process behind",
  async (signal) => {
    await using scratch = await createScratch();
    const pidFile = scratch.file("command.pid");
    await using model = await startModelServer("openai", [
      {
        answer: {
          calls: [
            { id: "1", name: "bash", arguments: { command: `sleep 1000 & echo $$ > ${pidFile}; sleep 1001` } },
            { id: "2", name: "mcp_one_hang", arguments: {} },
          ],
        },
      },
    ]);
    await scratch.userServers({ one: { ignoreEndOfInput: true, ignoreSigterm: true } });
    await scratch.write("home/.config/toolgate/config.json", { approval: "never-ask" });
    const env = { OPENAI_API_KEY: "sk-killed", OPENAI_BASE_URL: `${model.url}/v1` };
    const chat = startToolgate(scratch, ["--model", "openai/stand-in"], { env });
    const ended = new Promise((resolve) => {
      chat.once("exit", resolve);
    });
    // The input stays open: somebody sits there.
    chat.stdin.write("go\n");
    const isThere = async (): Promise<boolean> => (await readFile(pidFile, "utf8").catch(() => "")).trim() !== "";
    await waitFor(isThere, "the command");
    expect(processesWith(`HOME=${scratch.home}\0`).join("\n")).toMatch(/sleep 1001/);
    expect(serversOf(scratch.home)).not.toEqual([]);
    chat.kill(signal);
    await ended;
    await waitFor(() => processesWith(`HOME=${scratch.home}\0`).length === 0, "the end of all processes");
  },
);
