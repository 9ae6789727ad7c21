import { callTool } from "@toolgate/mcp-client";
import { expect, test } from "vitest";

import { callForText, connect, failureOf, scripted } from "../../packages/mcp-client/test/support/scripted.ts";

test("a hundred calls at once get their own answers, while others of them are cancelled", async () => {
  const connection = await connect(scripted());
  const controllers = Array.from({ length: 20 }, () => new AbortController());
  const hanging = controllers.map(({ signal }) => failureOf(callTool(connection, "hang", {}, { signal })));
  const answers = Promise.all(
    Array.from({ length: 100 }, (_, index) => {
      if (index % 5 === 0) controllers[index / 5]?.abort();
      return callForText(connection, "echo", { text: `answer ${index}` });
    }),
  );
  expect(await answers).toEqual(Array.from({ length: 100 }, (_, index) => `answer ${index}`));
  for (const error of await Promise.all(hanging)) expect(error.name).toBe("AbortError");
  const received = JSON.parse(await callForText(connection, "received")) as { method: string; params: unknown }[];
  expect(received.filter(({ method }) => method === "notifications/cancelled")).toHaveLength(20);
});
