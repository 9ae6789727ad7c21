import {
  createFileCredentialStorage,
  createKeyvCredentialStorage,
  type CredentialStorage,
  signIn,
} from "../../../src/index.ts";
import { temporaryDirectory } from "../../support/scripted.ts";
import { type AuthorizationServer, startAuthorizationServer } from "./authorization-server.ts";
import { signInByBrowser } from "./browser.ts";
import { type ResourceServer, startResourceServer } from "./resource-server.ts";

/** An authorization server, an MCP server that takes its tokens, and a place for sign-ins. */
export interface SignInFixture {
  authorizationServer: AuthorizationServer;
  resourceServer: ResourceServer;
  directory: string;
  storage: CredentialStorage;
  config: { type: "http"; url: string };
}

/** Starts both servers; nobody is signed in. */
export async function startServers(): Promise<SignInFixture> {
  const authorizationServer = await startAuthorizationServer();
  const resourceServer = await startResourceServer(authorizationServer);
  const directory = await temporaryDirectory();
  const storage = createFileCredentialStorage({ directory });
  return { authorizationServer, resourceServer, directory, storage, config: { type: "http", url: resourceServer.url } };
}

/** Starts both servers and signs in. */
export async function startSignedIn(): Promise<SignInFixture> {
  const fixture = await startServers();
  const { config, resourceServer, storage } = fixture;
  await signIn("guarded", config, { authorization: { storage, onAuthorizationUrl: signInByBrowser } });
  resourceServer.answers.length = 0;
  return fixture;
}

/** The access token that is stored. */
export async function storedToken({ config, storage }: SignInFixture): Promise<string> {
  const record = await storage.read(config.url);
  if (record?.tokens === undefined) throw new Error("nobody is signed in");
  return record.tokens.accessToken;
}

/** Makes a server answer as one without a stream of its own, whose opening would be one more request at some time. */
export function withoutStream(resourceServer: ResourceServer): void {
  resourceServer.intercept = (request, response) => {
    if (request.method !== "GET") return false;
    response.writeHead(405).end();
    return true;
  };
}

/** A place for sign-ins in memory, behind a Keyv-like store. */
export function memoryStorage(): CredentialStorage {
  const entries = new Map<string, unknown>();
  return createKeyvCredentialStorage({
    get: (key) => Promise.resolve(entries.get(key)),
    set: (key, value) => Promise.resolve(entries.set(key, structuredClone(value))),
    delete: (key) => Promise.resolve(entries.delete(key)),
  });
}
