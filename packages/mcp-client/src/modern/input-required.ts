import { isRecord } from "@toolgate/contracts";

import { answerServerRequest } from "../connection/answer-server-request.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerErrors } from "../connection/server-errors.ts";

/** Questions of a server in answer to one request, before it is given up. */
const ROUND_LIMIT = 10;

/** What answering a server's questions needs. */
export interface QuestionContext {
  options: Pick<ConnectOptions, "requestHandlers" | "roots">;
  errors: ServerErrors;
  method: string;
  signal: AbortSignal | undefined;
  /** Sends the request once, and gives its final result or the server's questions. */
  send(params: Record<string, unknown> | undefined): Promise<Record<string, unknown>>;
}

/**
 * Sends a request and answers what the server wants to know first: it then sends questions instead of a result, and gets
 * the request again with the answers and with its own state, unread.
 *
 * @throws ToolgateError `SERVER_ERROR` for a question that cannot be answered, or too many of them; else as `send`
 */
export async function sendWithAnswers(
  params: Record<string, unknown> | undefined,
  context: QuestionContext,
): Promise<Record<string, unknown>> {
  let next = params;
  for (let round = 0; round <= ROUND_LIMIT; round += 1) {
    const result = await context.send(next);
    if (result["resultType"] !== "input_required") return result;
    const { inputRequests, requestState } = result;
    const inputResponses = await answerAll(isRecord(inputRequests) ? inputRequests : {}, context);
    next = {
      ...params,
      ...(Object.keys(inputResponses).length === 0 ? {} : { inputResponses }),
      ...(requestState === undefined ? {} : { requestState }),
    };
  }
  throw context.errors.create(
    "SERVER_ERROR",
    `wanted more input for ${context.method} after ${ROUND_LIMIT} answers; the request was given up.`,
  );
}

async function answerAll(
  questions: Record<string, unknown>,
  context: QuestionContext,
): Promise<Record<string, Record<string, unknown>>> {
  // One question that fails ends the request, and with it the others.
  const controller = new AbortController();
  const signal = context.signal === undefined ? controller.signal : AbortSignal.any([controller.signal, context.signal]);
  try {
    const answers = await Promise.all(
      Object.entries(questions).map(async ([key, question]) => {
        const answer = await answerOne(question, context, signal);
        return [key, answer] as const;
      }),
    );
    return Object.fromEntries(answers);
  } finally {
    controller.abort();
  }
}

async function answerOne(
  question: unknown,
  context: QuestionContext,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { errors, method, options } = context;
  const asked = isRecord(question) && typeof question["method"] === "string" ? question["method"] : undefined;
  if (asked === undefined || !isRecord(question)) {
    throw errors.create("SERVER_ERROR", `asked something during ${method} that is no request.`);
  }
  const params = isRecord(question["params"]) ? question["params"] : {};
  try {
    return await answerServerRequest(options, asked, { params, signal });
  } catch (error) {
    throw errors.create(
      "SERVER_ERROR",
      `asked for ${asked} during ${method}, which was not answered: ${errors.messageOf(error)}`,
      { cause: error },
    );
  }
}
