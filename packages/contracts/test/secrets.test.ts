import { assert, array, property, string } from "fast-check";
import { expect, test } from "vitest";

import { collectSecrets, createRedactor, isSecretName, maskServerConfig, maskUrl, SECRET_MASK } from "../src/index.ts";
import type { MCPServerConfig } from "../src/index.ts";

const local: MCPServerConfig = {
  command: "npx",
  args: ["mcp-remote", "https://ada:pass%20word@example.com/mcp?api_key=query-secret&page=2"],
  env: { TOKEN: "env-secret", DEBUG: "true", LEVEL: "1" },
  cwd: "/srv/notes",
};
const remote: MCPServerConfig = {
  type: "http",
  url: "https://example.com/mcp?access_token=url-secret&page=2",
  headers: { Authorization: "Bearer header-secret" },
  auth: { type: "bearer", token: "auth-secret" },
  oauth: { clientId: "public", clientSecret: "client-secret" },
};

test("the secrets of a local server are its variables and what its URLs carry", () => {
  expect(collectSecrets(local).toSorted()).toEqual(["env-secret", "pass word", "query-secret"]);
});

test("the secrets of a remote server are its headers, tokens and what its URL carries", () => {
  expect(collectSecrets(remote).toSorted()).toEqual([
    "Bearer header-secret",
    "auth-secret",
    "client-secret",
    "header-secret",
    "url-secret",
  ]);
});

test("a listing keeps keys, command, arguments and paths, and no secret", () => {
  expect(maskServerConfig(local)).toEqual({
    command: "npx",
    args: ["mcp-remote", "https://ada:***@example.com/mcp?api_key=***&page=2"],
    env: { TOKEN: "***", DEBUG: "***", LEVEL: "***" },
    cwd: "/srv/notes",
  });
  expect(maskServerConfig(remote)).toEqual({
    type: "http",
    url: "https://example.com/mcp?access_token=***&page=2",
    headers: { Authorization: "***" },
    auth: { type: "bearer", token: "***" },
    oauth: { clientId: "public", clientSecret: "***" },
  });
  expect(remote.auth?.token).toBe("auth-secret");
});

test("a redactor finds a secret plain, URL-encoded and inside JSON", () => {
  const secret = 'a/b "c"\nd';
  const redact = createRedactor([secret]);
  const text = `${secret} ${encodeURIComponent(secret)} ${JSON.stringify({ secret })}`;
  expect(redact(text)).toBe('*** *** {"secret":"***"}');
});

test("a secret that contains another is replaced whole", () => {
  expect(createRedactor(["secret", "secret-and-more"])("secret-and-more, secret")).toBe("***, ***");
});

test("values too common to be secrets stay", () => {
  expect(createRedactor(["on", "true", "1"])("on and true: 1")).toBe("on and true: 1");
});

test("no secret survives the redactor, whatever characters it is made of", () => {
  assert(
    property(array(string({ minLength: 8, unit: "grapheme" })), string(), (secrets, text) => {
      const masked = createRedactor(secrets)(secrets.reduce((sum, secret) => `${sum}${text}${secret}`, text));
      // What is left may hold a secret only as part of the mask's own surroundings.
      const left = masked.split(SECRET_MASK);
      expect(left.every((part) => secrets.every((secret) => !part.includes(secret)))).toBe(true);
    }),
  );
});

test.each(["API_KEY", "accessToken", "client_secret", "password", "X-Auth", "sessionId", "cookie", "sig_nature_key"])(
  "%s names a secret",
  (name) => {
    expect(isSecretName(name)).toBe(true);
  },
);

test.each(["page", "limit", "region", "profile"])("%s names no secret", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test("only URLs are masked as URLs", () => {
  expect(maskUrl("what?token=visible")).toBe("what?token=visible");
  expect(maskUrl("redis://:hunter2@host:6379/0")).toBe("redis://:***@host:6379/0");
});
