import { isRecord } from "@toolgate/contracts";
import type { ServerDescription } from "@toolgate/mcp-manager";

/**
 * Why a server is not connected, for a place that names the server and its file already: the first sentence of the
 * error's message without them, and of a process that has ended how, and its last words. All of it is in `error`.
 */
export function briefReason({
  name,
  source,
  error,
}: Pick<ServerDescription, "name" | "source" | "error">): string | undefined {
  if (error === undefined) return undefined;
  const ended = error.code === "SERVER_EXITED" ? describeEnd(error.data) : undefined;
  if (ended !== undefined) return ended;
  const label = [`The server "${name}"`, ...(source === undefined ? [] : [`(${source.path})`]), ""].join(" ");
  const message = error.message.startsWith(label) ? error.message.slice(label.length) : error.message;
  return message.split(/\. |[.:]?\n/)[0];
}

function describeEnd(data: unknown): string | undefined {
  if (!isRecord(data)) return undefined;
  const { exitCode, signal, stderr } = data;
  const ended =
    typeof exitCode === "number"
      ? `exited with code ${exitCode}`
      : typeof signal === "string"
        ? `ended by ${signal}`
        : undefined;
  if (ended === undefined || typeof stderr !== "string") return undefined;
  const lastWords = stderr.trimEnd().split("\n").at(-1)?.trim() ?? "";
  return lastWords === "" ? `${ended}, and wrote nothing to its error output` : `${ended}: ${lastWords}`;
}
