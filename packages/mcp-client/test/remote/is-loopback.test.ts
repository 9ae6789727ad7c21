import { expect, test } from "vitest";

import { isLoopback } from "../../src/remote/is-loopback.ts";

test.each(["localhost", "LOCALHOST", "localhost.", "app.localhost", "127.0.0.1", "127.1.2.3", "[::1]"])(
  "%s is this machine",
  (hostname) => expect(isLoopback(hostname)).toBe(true),
);

test.each(["example.com", "127.example.com", "127.0.0.1.example.com", "localhost.example.com", "notlocalhost", ""])(
  "%j is another one",
  (hostname) => expect(isLoopback(hostname)).toBe(false),
);
