/** A resource, or a template of resources, of one server. */
export interface ServerResourceReference {
  server: string;
  /** The server's own URI or URI template. */
  uri: string;
}

/** The address of a server's resource or resource template: `server:uri`. */
export function formatResourceAddress({ server, uri }: ServerResourceReference): string {
  return `${server}:${uri}`;
}

/**
 * Reads an address. Names of servers may hold colons, so that the longest known name wins; a plain URI such as
 * `file:///notes` is none even if there is a server called `file`.
 *
 * @param servers - The names of all servers.
 * @returns undefined when the text does not begin with the name of a server.
 */
export function parseResourceAddress(address: string, servers: readonly string[]): ServerResourceReference | undefined {
  const [server] = servers.filter((name) => address.startsWith(`${name}:`)).toSorted((a, b) => b.length - a.length);
  if (server === undefined) return undefined;
  const uri = address.slice(server.length + 1);
  return uri === "" || uri.startsWith("//") ? undefined : { server, uri };
}
