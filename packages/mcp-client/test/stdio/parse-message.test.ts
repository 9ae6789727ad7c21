import { expect, test } from "vitest";

import { findAnsweredId, parseMessageLine } from "../../src/stdio/parse-message.ts";

const ping = { jsonrpc: "2.0", id: 1, method: "ping" };

test.each([
  [JSON.stringify(ping), [ping]],
  [`${JSON.stringify(ping)}\r`, [ping]],
  [`\uFEFF${JSON.stringify(ping)}`, [ping]],
  [`Loading {"a"} ${JSON.stringify(ping)}`, [ping]],
  [JSON.stringify([ping, { ...ping, id: 2 }]), [ping, { ...ping, id: 2 }]],
  ["", []],
  ["hello", []],
  ["17", []],
  ["null", []],
  ["[]", []],
  ['{"a":1}', []],
  ['{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', []],
])("%j holds %j", (line, messages) => {
  expect(parseMessageLine(line).messages).toEqual(messages);
});

test("an answer with additional fields, or without a version, is an answer", () => {
  expect(parseMessageLine('{"id":"7","result":{"x":1},"error":null,"extra":true}').messages).toEqual([
    { jsonrpc: "2.0", id: "7", result: { x: 1 } },
  ]);
});

test("an error without code or message is an error", () => {
  expect(parseMessageLine('{"id":7,"error":{"reason":"x"}}').messages).toEqual([
    { jsonrpc: "2.0", id: 7, error: { code: -32603, message: '{"reason":"x"}', data: undefined } },
  ]);
});

test.each([
  ['{"jsonrpc":"2.0","id":5,"result":{', "}}", 5],
  ['{"id":"a\\"b","result":{', "}}", 'a"b'],
  ['{"result":{"content":[', ']},"jsonrpc":"2.0","id":9}', 9],
  ['{"result":{', '},"id":9,"jsonrpc":"2.0"}', 9],
  ['{"result":{"id":4', ',"id":4}}', undefined],
  ['{"jsonrpc":"2.0","method":"x","params":{', "}}", undefined],
])("of %s…%s the id is %j", (head, tail, id) => {
  expect(findAnsweredId(head, tail)).toBe(id);
});
