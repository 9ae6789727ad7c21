import { parseMessageLine } from "../stdio/parse-message.ts";

/** Bytes of a body that is read twice. */
const READ_WHOLE = 65_536;

/**
 * A JSON body with its messages in the form that the SDK takes: it would refuse one for an unknown field, and servers send
 * `"error": null` beside a result. A body that is long or no message goes by as it is.
 */
export async function* withKnownFields(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let held: Uint8Array[] | undefined = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    held?.push(chunk);
    if (held === undefined) yield chunk;
    else if (length > READ_WHOLE) {
      yield* held;
      held = undefined;
    }
  }
  if (held === undefined) return;
  const whole = Buffer.concat(held);
  const { messages } = parseMessageLine(whole.toString("utf8"));
  if (messages.length === 0) yield whole;
  else yield Buffer.from(JSON.stringify(messages.length === 1 ? messages[0] : messages));
}
