import { expect, test } from "vitest";

import { callForText, connect, scripted } from "./support/scripted.ts";

test("notifications reach those who listen to their method, until they stop", async () => {
  const connection = await connect(scripted());
  const seen: unknown[] = [];
  const stop = connection.onNotification("notifications/tools/list_changed", (params) => seen.push(params));
  const notify = (method: string) => callForText(connection, "notify", { method, params: { from: method } });
  await notify("notifications/tools/list_changed");
  await notify("notifications/message");
  stop();
  await notify("notifications/tools/list_changed");
  expect(seen).toEqual([{ from: "notifications/tools/list_changed" }]);
});

test("a notification of ours reaches the server", async () => {
  const connection = await connect(scripted());
  await connection.notify("notifications/roots/list_changed").catch(() => {});
  await connection.notify("notifications/custom", { a: 1 });
  expect(await callForText(connection, "received")).toContain('"method":"notifications/custom"');
});
