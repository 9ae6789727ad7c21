import { writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { createInterface } from "node:readline";

import { LineTerminal } from "../../apps/agent/src/chat/input/line-terminal.ts";
import { handleSignals } from "../../apps/agent/src/cli/handle-signals.ts";

// A program that holds the terminal of the chat and does with it what a test tells it, one command per connection.

const [socketPath = ""] = process.argv.slice(2);
const signals = handleSignals(process);
const { stdin, stdout, stderr, env, platform } = process;
const terminal = new LineTerminal(
  { stdin, stdout, stderr, env, platform },
  { prompt: "› ", completer: (line) => [[], line], onInterrupt: () => end() },
);
const inputs = terminal.lines();
const server = createServer();

function end(): void {
  terminal.close();
  server.close();
  process.exitCode = signals.exitStatus() ?? 0;
  process.exit();
}

signals.signal.addEventListener("abort", end);

const commands: Record<string, (words: string[], signal: AbortSignal) => unknown> = {
  print: ([text = ""]) => terminal.print(text),
  write: ([text = ""]) => terminal.write(text),
  showLive: (lines) => terminal.showLive(lines),
  setStatus: ([text = ""]) => terminal.setStatus(text),
  readLine: ([question = ""], signal) => terminal.readLine(question, signal),
  readSecret: ([question = ""], signal) => terminal.readLine(question, signal, { secret: true }),
  readBlock: (_words, signal) => terminal.readBlock(signal),
  nextInput: async () => (await inputs.next()).value,
  pid: () => process.pid,
  crash: () => setImmediate(() => process.exit(1)),
  end,
};

server.on("connection", (connection) => {
  const gone = new AbortController();
  connection.on("error", () => {});
  connection.on("close", () => gone.abort());
  createInterface(connection).once("line", (line) => {
    const [name = "", ...words] = JSON.parse(line) as string[];
    void Promise.resolve(commands[name]?.(words, gone.signal)).then(
      (answer) => connection.end(JSON.stringify(answer ?? null)),
      () => connection.destroy(),
    );
  });
});
server.listen(socketPath, () => writeFileSync(`${socketPath}.ready`, ""));
