import { join } from "node:path";

import type { CredentialStorage } from "@toolgate/mcp-client";
import { createFileCredentialStorage } from "@toolgate/mcp-client";

import type { HostPlaces } from "./state-directory.ts";
import { stateDirectory } from "./state-directory.ts";

/** Where the app keeps what people sign in with: one file per server, which nobody else may read. */
export function createCredentials(places: HostPlaces): CredentialStorage {
  return createFileCredentialStorage({ directory: join(stateDirectory(places), "credentials") });
}
