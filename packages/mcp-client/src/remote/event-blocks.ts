import { findAnsweredId, parseMessageLine } from "../stdio/parse-message.ts";

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const END_OF_EVENT: Uint8Array = new Uint8Array([LINE_FEED, LINE_FEED]);
/** Bytes that are looked at, from either end, of an event that is too long to be read twice. */
const EXCERPT = 4096;
const READ_WHOLE = 65_536;
const LINE_ENDS = /\r\n|\r|\n/;

/** One event of an event stream, comments included. */
export interface EventBlock {
  /** The event as it is to be handed on; `undefined` when it is longer than the limit. */
  bytes: Uint8Array | undefined;
  id?: string;
  /** Milliseconds to wait before the stream is asked for again. */
  retry?: number;
  /** The requests that it answers. */
  answers: (string | number)[];
}

/**
 * Cuts an event stream into its events, and reads of each what resuming the stream needs. Never holds more than the
 * limit: the rest of a longer event goes by unread.
 *
 * @param limit - Bytes of one event.
 */
export async function* readEventBlocks(body: AsyncIterable<unknown>, limit: number): AsyncGenerator<EventBlock> {
  const block = new BlockBuffer(limit);
  let lineIsEmpty = true;
  let afterReturn = false;
  for await (const chunk of body) {
    const bytes = chunk as Uint8Array;
    let start = 0;
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (byte === LINE_FEED && afterReturn) {
        // The second half of one line end.
        afterReturn = false;
        if (start === index) start = index + 1;
        continue;
      }
      afterReturn = byte === CARRIAGE_RETURN;
      if (byte !== LINE_FEED && byte !== CARRIAGE_RETURN) {
        lineIsEmpty = false;
      } else if (lineIsEmpty) {
        block.add(bytes.subarray(start, index));
        start = index + 1;
        const event = block.take();
        if (event !== undefined) yield event;
      } else {
        lineIsEmpty = true;
      }
    }
    block.add(bytes.subarray(start));
  }
}

/** The bytes of one event while it arrives. */
class BlockBuffer {
  readonly #limit: number;
  #chunks: Uint8Array[] = [];
  #length = 0;
  /** The two ends of an event that is longer than the limit. */
  #excess: { head: Buffer; tail: Buffer } | undefined;

  constructor(limit: number) {
    this.#limit = limit;
  }

  add(part: Uint8Array): void {
    if (part.length === 0) return;
    this.#length += part.length;
    if (this.#excess !== undefined) {
      const { tail } = this.#excess;
      this.#excess.tail = Buffer.from(Buffer.concat([tail, part.subarray(-EXCERPT)]).subarray(-EXCERPT));
      return;
    }
    this.#chunks.push(part);
    if (this.#length <= this.#limit) return;
    const held = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#excess = { head: Buffer.from(held.subarray(0, EXCERPT)), tail: Buffer.from(held.subarray(-EXCERPT)) };
  }

  /** The event that is complete now; `undefined` when there was none between two line ends. */
  take(): EventBlock | undefined {
    const excess = this.#excess;
    const held = Buffer.concat(this.#chunks);
    this.#chunks = [];
    this.#length = 0;
    this.#excess = undefined;
    if (excess !== undefined) {
      return { bytes: undefined, ...readEnds(excess.head.toString("utf8"), excess.tail.toString("utf8")) };
    }
    if (held.length > READ_WHOLE) {
      const head = held.toString("utf8", 0, EXCERPT);
      const tail = held.toString("utf8", held.length - EXCERPT);
      return { bytes: Buffer.concat([trimLineEnd(held), END_OF_EVENT]), ...readEnds(head, tail) };
    }
    const text = held.toString("utf8");
    return text.trim() === "" ? undefined : readWhole(text);
  }
}

function trimLineEnd(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && (bytes[end - 1] === LINE_FEED || bytes[end - 1] === CARRIAGE_RETURN)) end -= 1;
  return bytes.subarray(0, end);
}

/** Reads an event, and brings its messages into the form that the SDK takes: it would drop one for an unknown field. */
function readWhole(text: string): EventBlock {
  const lines = text.split(LINE_ENDS).filter((line) => line !== "");
  const { data, ...fields } = readLines(text);
  const { messages } = parseMessageLine(data.join("\n"));
  const answers = messages.flatMap((message) => ("method" in message || message.id === undefined ? [] : [message.id]));
  const other = lines.filter((line) => !/^data(?::|$)/.test(line));
  const events = messages.map((message) => `data: ${JSON.stringify(message)}`);
  const kept = events.length === 0 ? lines.join("\n") : [...other, events.join("\n\n")].join("\n");
  return { bytes: Buffer.from(`${kept}\n\n`), ...fields, answers };
}

/** Of a long event only its ends are read: fields stand before or behind the data. */
function readEnds(head: string, tail: string): Omit<EventBlock, "bytes"> {
  const { data: firstLines, ...before } = readLines(head);
  const { data: lastLines, ...behind } = readLines(tail);
  // The last line of the data may have begun before what is left of it.
  const lastLine = lastLines.at(-1) ?? tail.split(LINE_ENDS)[0] ?? "";
  const id = findAnsweredId(firstLines[0] ?? "", lastLine);
  return { ...behind, ...before, answers: id === undefined ? [] : [id] };
}

function readLines(text: string): { id?: string; retry?: number; data: string[] } {
  const fields: { id?: string; retry?: number; data: string[] } = { data: [] };
  for (const line of text.split(LINE_ENDS)) {
    const [, name, value = ""] = /^([^:]+)(?:: ?(.*))?$/s.exec(line) ?? [];
    if (name === "data") fields.data.push(value);
    else if (name === "id" && !value.includes("\0")) fields.id = value;
    else if (name === "retry" && /^\d+$/.test(value)) fields.retry = Number(value);
  }
  return fields;
}
