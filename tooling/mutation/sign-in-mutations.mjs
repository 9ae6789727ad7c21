/** Mutations of the requirement X05: signing in to remote servers. */
const AUTH = "packages/mcp-client/src/auth";

/** @type {readonly import("./mutations.mjs").Mutation[]} */
export const signInMutations = [
  {
    id: "X05",
    breaks: "processes do not wait for each other's refresh",
    file: `${AUTH}/credential-files.ts`,
    find: "const release = await lock(file, {",
    replace: "const release = await ((..._: unknown[]) => Promise.resolve(() => Promise.resolve()))(file, {",
  },
  {
    id: "X05",
    breaks: "a token that somebody else has renewed is renewed once more",
    file: `${AUTH}/refresh-tokens.ts`,
    find: "if (tokens.accessToken !== used && !isExpiring(tokens, context.now())) return undefined;",
    replace: "void isExpiring;",
  },
  {
    id: "X05",
    breaks: "credential files can be read by everybody",
    file: `${AUTH}/credential-files.ts`,
    find: "{ mode: 0o600 }",
    replace: "{ mode: 0o644 }",
  },
  {
    id: "X05",
    breaks: "a server that repeats a token brings it into errors",
    file: `${AUTH}/authorization-context.ts`,
    find: "errors.addSecrets([client?.clientSecret, tokens?.accessToken, tokens?.refreshToken]);",
    replace: "",
  },
  {
    id: "X05",
    breaks: "missing scopes are not signed in for",
    file: `${AUTH}/authorized-fetch.ts`,
    find: 'challenge?.error !== "insufficient_scope"',
    replace: "challenge !== null",
  },
  {
    id: "X05",
    breaks: "signing out revokes nothing",
    file: `${AUTH}/run-sign-out.ts`,
    find: "record === undefined ? { revoked: false } : await revoke(context, record)",
    replace: "{ revoked: record !== undefined }",
  },
];
