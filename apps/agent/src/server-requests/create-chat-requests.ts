import type { LineTerminal } from "../chat/input/line-terminal.ts";
import type { CommandLineIO } from "../cli/command-line-io.ts";
import { openInBrowser } from "../mcp-commands/open-in-browser.ts";
import type { ServerRequestOptions, ServerRequests } from "./create-server-request-handlers.ts";
import { createServerRequestHandlers } from "./create-server-request-handlers.ts";

/** What the chat of the app has for the requests of its servers. */
export interface ChatRequestOptions extends Pick<ServerRequestOptions, "model" | "style"> {
  terminal: LineTerminal;
  io: Pick<CommandLineIO, "env" | "platform">;
}

/** The answers of the app's own chat to its servers, see {@link createServerRequestHandlers}. */
export function createChatRequests({ terminal, io, style, model }: ChatRequestOptions): ServerRequests {
  const { env, platform } = io;
  return createServerRequestHandlers({
    terminal,
    model,
    hasEnded: () => terminal.isClosed,
    style,
    // Somebody sits here, and has just said yes.
    openPage: (url) => openInBrowser(url, { env, platform, confirm: () => Promise.resolve(true) }),
  });
}
