import { ModelError } from "./model-error.ts";

/** Bytes of one answer on the wire, many times those of the longest that a model gives. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;
/** Bytes between two line feeds: all of a line is kept until its end is there. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;
const LINE_FEED = 0x0a;

/** What {@link limitAnswer} lets through, in bytes. */
export interface AnswerLimits {
  /** @default 64 MiB */
  answer?: number;
  /** @default 8 MiB */
  line?: number;
}

/**
 * Bounds what is read of an answer: a stream without an end, or without a line feed, would fill the memory. Reading fails
 * with a {@link ModelError} where the limit is, and the connection is closed.
 */
export function limitAnswer(
  response: Response,
  { answer = MAX_ANSWER_BYTES, line = MAX_LINE_BYTES }: AnswerLimits = {},
): Response {
  if (response.body === null) return response;
  let total = 0;
  let sinceLineFeed = 0;
  const counting = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      const last = chunk.lastIndexOf(LINE_FEED);
      total += chunk.length;
      sinceLineFeed = last === -1 ? sinceLineFeed + chunk.length : chunk.length - last - 1;
      if (total > answer) controller.error(tooLarge("an answer", answer));
      else if (sinceLineFeed > line) controller.error(tooLarge("a line of an answer", line));
      else controller.enqueue(chunk);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(counting), { status, statusText, headers });
}

function tooLarge(what: string, bytes: number): ModelError {
  return new ModelError(`The model was broken off: ${what} has more than ${bytes} bytes.`);
}
