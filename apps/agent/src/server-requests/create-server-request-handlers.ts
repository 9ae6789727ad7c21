import type { ElicitationResult } from "@toolgate/mcp-client";
import type { HostHandlerContext, HostHandlers } from "@toolgate/mcp-manager";

import { abortable } from "../cancellation/abortable.ts";
import type { ChatTerminal } from "../chat/chat-terminal.ts";
import type { AgentModel } from "../session/agent-model.ts";
import { sanitizeLine, sanitizeText } from "../terminal/sanitize-text.ts";
import type { Style } from "../terminal/style.ts";
import { RequestRefusal } from "./request-refusal.ts";
import type { RequestScene } from "./request-scene.ts";
import { RequestCancelled, RequestTurns } from "./request-turns.ts";

/** What answers to requests of servers go by. */
export interface ServerRequestOptions {
  terminal: ChatTerminal;
  /** Whether the terminal's input is at its end: an empty line is no answer then. */
  hasEnded: () => boolean;
  /** What answers at the moment; asked anew for each request, so that the session may come later than this. */
  model: () => AgentModel | undefined;
  style: Style;
  /** Opens an address in the person's browser. */
  openPage: (url: string) => Promise<void>;
}

/** The answers of a chat to its servers. */
export interface ServerRequests {
  /** Options of a manager: forms, pages and answers of the model, each with the person's consent. */
  readonly handlers: Required<Pick<HostHandlers, "elicitation" | "sampling">>;
  /** Cancels the request that the person is asked about; false when there is none. */
  cancelCurrent(): boolean;
}

/**
 * Makes the answers to what servers ask of their host. Only servers that are connected can ask, one request is shown
 * after the other, and nothing is sent that the person has not seen or allowed.
 */
export function createServerRequestHandlers(options: ServerRequestOptions): ServerRequests {
  const { terminal, model, style, openPage, hasEnded } = options;
  const turns = new RequestTurns();
  const allowed = new Set<string>();

  /** Shows one request; what becomes of it when it ends early is said here. */
  function show<T>(
    { server: name, signal: taken }: HostHandlerContext,
    work: (scene: RequestScene) => Promise<T>,
    onCancel: () => T,
  ): Promise<T> {
    const server = sanitizeLine(name);
    return turns.take(taken, async (signal) => {
      try {
        // What does not end by itself must not keep the others waiting.
        return await abortable(work({ terminal, server, signal, readLine: createReadLine(signal) }), signal);
      } catch (error) {
        if (taken.aborted) terminal.print(`- ${server} does not wait for an answer any more.`);
        else if (error instanceof RequestCancelled) {
          terminal.print(`Cancelled; ${server} was told so.`);
          return onCancel();
        }
        if (error instanceof RequestRefusal && error.reason === "invalid" && !taken.aborted) {
          terminal.print(`! ${server} asked for something that cannot be answered: ${sanitizeText(error.message)}`);
        }
        throw error;
      }
    });
  }

  function createReadLine(signal: AbortSignal): RequestScene["readLine"] {
    return async (question, readOptions) => {
      const line = await terminal.readLine(question, signal, readOptions);
      // The end of the input comes as an empty line, which elsewhere takes what is proposed.
      if (hasEnded()) throw new RequestCancelled("The input has ended.");
      return line;
    };
  }

  return {
    // Most sessions get along without any of it.
    handlers: {
      elicitation: {
        form: (request, context) =>
          show(context, async (scene) => (await import("./ask-form.ts")).askForm(request, scene), cancelled),
        url: (request, context) =>
          show(
            context,
            async (scene) => (await import("./ask-to-open.ts")).askToOpen(request, scene, { style, openPage }),
            cancelled,
          ),
      },
      sampling: (request, context) =>
        show(
          context,
          async (scene) => {
            const { answerByModel } = await import("./answer-by-model.ts");
            const { server } = context;
            const consent = { isAllowed: () => allowed.has(server), allow: () => allowed.add(server) };
            return answerByModel(request, scene, { model, ...consent });
          },
          () => {
            throw new RequestRefusal("rejected", "The person cancelled the request.");
          },
        ),
    },
    cancelCurrent: () => turns.cancelCurrent(),
  };
}

function cancelled(): ElicitationResult {
  return { action: "cancel" };
}
