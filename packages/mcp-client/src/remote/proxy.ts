import { ProxyError } from "./http-errors.ts";
import { isLoopback } from "./is-loopback.ts";
import { withoutLimits } from "./unlimited-fetch.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** A proxy that a request has to take. */
export interface ProxyChoice {
  url: URL;
  /** The variable that names it. */
  variable: string;
}

/** A fetch, and what has to be released with it. */
export interface ProxyFetch {
  fetch: typeof globalThis.fetch;
  /** Closes the connections to proxies. */
  close(): Promise<void>;
}

/**
 * The proxy that the environment names for an address: `HTTPS_PROXY` or `HTTP_PROXY`, the lower-case form first, unless
 * `NO_PROXY` excepts the host. An empty variable is an unset one. Loopback addresses are never proxied.
 *
 * @throws ProxyError when the variable holds no http or https address
 */
export function proxyFor(target: URL, env: Environment): ProxyChoice | undefined {
  const name = target.protocol === "https:" ? "HTTPS_PROXY" : "HTTP_PROXY";
  const variable = [name.toLowerCase(), name].find((candidate) => (env[candidate] ?? "") !== "");
  if (variable === undefined || isLoopback(target.hostname)) return undefined;
  if (isExcepted(target, env["no_proxy"] || env["NO_PROXY"] || "")) return undefined;
  const value = env[variable] ?? "";
  const text = /^[a-z][a-z0-9+.-]*:\/\//i.test(value) ? value : `http://${value}`;
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol)) {
    throw new ProxyError(`that ${variable} names`, new Error("it is not an http:// or https:// address"));
  }
  return { url, variable };
}

/**
 * A fetch that takes the proxy which the environment names for each address, and another fetch where there is none:
 * `HTTPS_PROXY` or `HTTP_PROXY`, the lower-case form first, unless `NO_PROXY` excepts the host. Loopback addresses are
 * never proxied. A request that the proxy did not carry rejects with an error whose message names the proxy (without its
 * credentials) and the variable, and whose cause says why.
 */
export function proxyFromEnvironment(direct: typeof globalThis.fetch, env: Environment): ProxyFetch {
  const agents = new Map<string, Promise<ProxyFetch>>();
  return {
    fetch: async (input, init) => {
      const choice = proxyFor(new URL(input instanceof Request ? input.url : input), env);
      if (choice === undefined) return direct(input, init);
      const agent = agents.get(choice.url.href) ?? openProxy(choice);
      agents.set(choice.url.href, agent);
      return (await agent).fetch(input, init);
    },
    close: async () => {
      const open = [...agents.values()];
      agents.clear();
      await Promise.all(open.map(async (agent) => (await agent).close()));
    },
  };
}

/** A dispatcher belongs to the fetch of its own copy of undici, so that both come from the package. */
async function openProxy({ url, variable }: ProxyChoice): Promise<ProxyFetch> {
  const undici = await import("undici");
  // Plain http is forwarded: a proxy that opens tunnels to port 443 only is the rule.
  const agent = new undici.ProxyAgent({ uri: url.href, proxyTunnel: false });
  const dispatcher = withoutLimits(agent);
  const fetch = undici.fetch as unknown as typeof globalThis.fetch;
  return {
    fetch: async (input, init) => {
      let response: Response;
      try {
        response = await fetch(input, { ...init, dispatcher } as RequestInit);
      } catch (error) {
        if (init?.signal?.aborted === true) throw error;
        throw new ProxyError(`${url.origin} (${variable})`, error);
      }
      if (response.status !== 407) return response;
      await response.body?.cancel().catch(() => {});
      throw new ProxyError(`${url.origin} (${variable})`, new Error("it wants a sign-in (HTTP status 407)"));
    },
    close: () => agent.destroy(),
  };
}

/** `NO_PROXY`: hosts and domains (with or without a leading dot or `*.`), each with an optional port, or `*`. */
function isExcepted(target: URL, exceptions: string): boolean {
  const host = target.hostname.toLowerCase();
  const port = target.port === "" ? (target.protocol === "https:" ? "443" : "80") : target.port;
  return exceptions
    .toLowerCase()
    .split(/[\s,]+/)
    .filter((exception) => exception !== "")
    .some((exception) => {
      if (exception === "*") return true;
      const [, name = exception, onlyPort = port] = /^(\[[^\]]+\]|[^:]+)(?::(\d+))?$/.exec(exception) ?? [];
      if (onlyPort !== port) return false;
      const domain = name.replace(/^\*?\./, "");
      return host === domain || host.endsWith(`.${domain}`) || host === `[${domain}]`;
    });
}
