/**
 * A server of the tour that takes its time: it waits before it answers `initialize`, as servers do that sign in or
 * read an index first. Written without the SDK, so that the wait is all that is slow about it.
 */
import { createInterface } from "node:readline";

interface Request {
  id?: number | string;
  method?: string;
  params?: { protocolVersion?: string; arguments?: { text?: string } };
}

const waitMs = Number(process.argv[2] ?? 1500);
const SCHEMA = { type: "object", properties: { text: { type: "string" } }, required: ["text"] };

createInterface({ input: process.stdin })
  .on("line", (line) => answer(JSON.parse(line) as Request))
  .on("close", () => process.exit(0));

function answer({ id, method, params }: Request): void {
  switch (method) {
    case "initialize":
      setTimeout(() => {
        reply(id, {
          protocolVersion: params?.protocolVersion ?? "2025-11-25",
          capabilities: { tools: {} },
          serverInfo: { name: "slow", version: "1.0.0" },
        });
      }, waitMs);
      break;
    case "tools/list":
      reply(id, {
        tools: [
          { name: "echo", description: "Gives back the text", inputSchema: SCHEMA },
          { name: "reverse", description: "Gives back the text, last letter first", inputSchema: SCHEMA },
        ],
      });
      break;
    case "tools/call": {
      const { name, arguments: args } = params as { name?: string; arguments?: { text?: string } };
      const text = args?.text ?? "";
      reply(id, { content: [{ type: "text", text: name === "reverse" ? reverse(text) : text }] });
      break;
    }
    case "ping":
      reply(id, {});
      break;
    default:
      if (id !== undefined) send({ jsonrpc: "2.0", id, error: { code: -32601, message: `No method ${method ?? ""}` } });
  }
}

function reverse(text: string): string {
  const characters = Array.from(new Intl.Segmenter().segment(text), ({ segment }) => segment);
  return characters.toReversed().join("");
}

function reply(id: Request["id"], result: object): void {
  send({ jsonrpc: "2.0", id, result });
}

function send(message: object): void {
  process.stdout.write(`${JSON.stringify(message)}\n`);
}
