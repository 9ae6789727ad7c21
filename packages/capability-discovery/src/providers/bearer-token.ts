import { isRecord } from "@toolgate/contracts";
import type { AuthConfig } from "@toolgate/contracts";

import type { EntryHook, EntryTools } from "../entry-item.ts";

/** The bearer token in the environment variable that a field names. An unset one keeps the server from starting. */
export function readBearerVariable(
  raw: Record<string, unknown>,
  field: string,
  { variable, fail }: Pick<EntryTools, "variable" | "fail">,
): AuthConfig | undefined {
  const name = raw[field];
  if (name === undefined) return undefined;
  if (typeof name !== "string" || name === "") {
    fail(`"${field}" must name an environment variable.`);
    return undefined;
  }
  const token = variable(name);
  if (token === undefined || token === "") {
    fail(`the environment variable ${name}, named by "${field}", is not set. Set it and reload.`, name);
    return undefined;
  }
  return { type: "bearer", token };
}

/**
 * For clients whose entries have `bearerToken` or `bearerTokenEnv`, and an `auth` that says how the client itself signs
 * in: `"oauth"`, which happens here without being asked for, or a credential of the client's own store.
 */
export const prepareBearerToken: EntryHook = (raw, tools) => {
  const { auth, bearerToken, ...entry } = raw;
  if (isRecord(auth) && auth["type"] === "bearer") return { entry: { ...entry, auth } };
  if (isRecord(auth) && auth["type"] !== undefined) {
    tools.warn('"auth" refers to a credential of the client itself, which is not read; the server is used without it');
  }
  const token =
    typeof bearerToken === "string"
      ? { type: "bearer", token: bearerToken }
      : readBearerVariable(raw, "bearerTokenEnv", tools);
  if (token !== undefined) return { entry: { ...entry, auth: token } };
  // An `auth` without a type holds a registration, which the common form has too.
  return { entry: isRecord(auth) && auth["type"] === undefined ? { ...entry, auth } : entry };
};
