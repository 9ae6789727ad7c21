import { expect, test } from "vitest";

import { verifies } from "../../../tooling/test-support/verifies.mjs";
import { formatResourceAddress, parseResourceAddress } from "../src/resource-address.ts";

test(verifies("X03", "an address is read back into the server and the URI that it was made of"), () => {
  const servers = ["docs", "plugin:docs", "plugin"];
  for (const server of servers) {
    const reference = { server, uri: "file:///a:b" };
    expect(parseResourceAddress(formatResourceAddress(reference), servers)).toEqual(reference);
  }
});

test(verifies("X03", "a plain URI is no address, also if a server is called like its scheme"), () => {
  expect(parseResourceAddress("file:///notes", ["file"])).toBeUndefined();
  expect(parseResourceAddress("file:file:///notes", ["file"])).toEqual({ server: "file", uri: "file:///notes" });
  expect(parseResourceAddress("demo://x", ["docs"])).toBeUndefined();
  expect(parseResourceAddress("docs:", ["docs"])).toBeUndefined();
});
