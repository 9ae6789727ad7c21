import { expect, test } from "vitest";

import type { MCPServerConfig } from "../src/index.ts";
import { collectSecrets, createRedactor, maskServerConfig, maskUrl } from "../src/index.ts";

const REMOTE: MCPServerConfig = {
  type: "http",
  url: "https://user:pass-word@docs.example/mcp?apiKey=url-key&page=2",
  headers: { Authorization: "Bearer header-token", "X-Trace": "trace-1" },
  auth: { type: "bearer", token: "auth-token" },
  oauth: { clientId: "me", clientSecret: "oauth-secret" },
};

test("all secrets of an entry are collected, the credentials behind a scheme on their own too", () => {
  expect(collectSecrets(REMOTE)).toEqual(
    expect.arrayContaining([
      "pass-word",
      "url-key",
      "Bearer header-token",
      "header-token",
      "trace-1",
      "auth-token",
      "oauth-secret",
    ]),
  );
  const stdio: MCPServerConfig = {
    command: "npx",
    args: ["mcp-remote", "https://docs.example?token=argument-token"],
    env: { TOKEN: "env-token", DEBUG: "1", FLAG: "true" },
  };
  expect(collectSecrets(stdio).toSorted()).toEqual(["argument-token", "env-token"]);
});

test("secrets are masked wherever they stand: plain, URL-encoded, inside JSON, the longest first", () => {
  const redact = createRedactor(["ab c/d", "ab c/d-and-more", 'quo"te', "x"]);
  expect(redact('ab c/d-and-more ab%20c%2Fd {"v":"quo\\"te"} x')).toBe('*** *** {"v":"***"} x');
});

test("a masked entry keeps its keys, its command and its paths", () => {
  expect(maskServerConfig(REMOTE)).toEqual({
    type: "http",
    url: "https://user:***@docs.example/mcp?apiKey=***&page=2",
    headers: { Authorization: "***", "X-Trace": "***" },
    auth: { type: "bearer", token: "***" },
    oauth: { clientId: "me", clientSecret: "***" },
  });
  expect(maskServerConfig({ command: "npx", args: ["-y", "a"], env: { HOME: "/h" }, cwd: "/p" })).toEqual({
    command: "npx",
    args: ["-y", "a"],
    env: { HOME: "***" },
    cwd: "/p",
  });
});

test("text that is no URL stays as it is", () => {
  expect(["plain", "a=token", "/path?key=1", ""].map(maskUrl)).toEqual(["plain", "a=token", "/path?key=1", ""]);
});
