import { expect, test } from "vitest";

import { type EventBlock, readEventBlocks } from "../../src/remote/event-blocks.ts";

async function read(chunks: readonly string[], limit = 1_000_000): Promise<EventBlock[]> {
  async function* body() {
    for (const chunk of chunks) yield Buffer.from(chunk);
  }
  const events: EventBlock[] = [];
  for await (const event of readEventBlocks(body(), limit)) events.push(event);
  return events;
}

const textOf = (event: EventBlock | undefined) => Buffer.from(event?.bytes ?? []).toString("utf8");

test.each(["\n", "\r\n", "\r"])("events with line ends %j come whole, however they are cut", async (end) => {
  const stream = `id: 1${end}data: {"jsonrpc":"2.0","id":7,"result":{}}${end}${end}retry: 500${end}data: é${end}${end}`;
  for (const size of [1, 2, 3, 7, 1000]) {
    const bytes = Buffer.from(stream);
    async function* body() {
      for (let start = 0; start < bytes.length; start += size) yield bytes.subarray(start, start + size);
    }
    const events: EventBlock[] = [];
    for await (const event of readEventBlocks(body(), 1000)) events.push(event);
    expect(events).toMatchObject([
      { id: "1", answers: [7] },
      { retry: 500, answers: [] },
    ]);
    expect(textOf(events[1]).endsWith("data: é\n\n")).toBe(true);
  }
});

test("an event that is not complete is left out, comments and batches are read", async () => {
  const batch = JSON.stringify([
    { id: 1, result: {} },
    { id: "b", error: {} },
    { id: 3, method: "ping" },
  ]);
  const events = await read([`: still here\n\ndata: ${batch}\n\ndata: half`]);
  expect(events.map(({ answers }) => answers)).toEqual([[], [1, "b"]]);
});

test("of an event beyond the limit the answered request is known, and the next event is fine", async () => {
  const large = (id: string) => `${id}data: {"jsonrpc":"2.0","id":5,"result":{"text":"${"x".repeat(20_000)}"}}\n\n`;
  const other = `data: {"result":{"text":"${"x".repeat(20_000)}"},"jsonrpc":"2.0","id":6}\nid: 9\n\n`;
  const events = await read([large("id: 8\n"), other, "data: next\n\n"], 10_000);
  expect(events).toMatchObject([
    { bytes: undefined, id: "8", answers: [5] },
    { bytes: undefined, id: "9", answers: [6] },
    { answers: [] },
  ]);
  expect(textOf(events[2])).toBe("data: next\n\n");
});
