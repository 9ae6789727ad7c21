import type { HttpServerConfig, ProtocolEra, SseServerConfig } from "@toolgate/contracts";
import { maskUrl } from "@toolgate/contracts";

import { systemClock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerErrors } from "../connection/server-errors.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { authorizeFetch } from "./authorize-fetch.ts";
import { ChannelLink } from "./channel-link.ts";
import type { ChannelInput } from "./channel.ts";
import { explainFailures, GetFailure } from "./explain-failures.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import { followWithinOrigin } from "./redirects.ts";
import { openSse } from "./sse.ts";
import { openStreamableHttp } from "./streamable-http.ts";
import { unlimitedFetch } from "./unlimited-fetch.ts";

/** Makes the link to a remote server, over the transport of the era's line of the SDK; nothing is sent before it is started. */
export async function createRemoteLink(
  config: HttpServerConfig | SseServerConfig,
  options: ConnectOptions,
  { errors, era }: { errors: ServerErrors; era: ProtocolEra },
): Promise<ServerLink> {
  const { url, headers } = readAddress(config, errors);
  const clock = options.clock ?? systemClock;
  const network =
    options.fetch === undefined
      ? proxyFromEnvironment(unlimitedFetch, options.env ?? process.env)
      : { fetch: options.fetch, close: () => Promise.resolve() };
  const failures = new GetFailure();
  const authorizedFetch = await authorizeFetch(config, { ...options, fetch: network.fetch }, errors);
  const fetch = explainFailures(followWithinOrigin(authorizedFetch), failures, errors.redact);
  const link = new ChannelLink({ clock, address: maskUrl(config.url), closeNetwork: () => network.close() });
  const livenessInterval = options.livenessIntervalMs;
  const input: ChannelInput = { url, headers, fetch, failures, clock, era, livenessInterval, events: link };
  if (config.type === "sse") link.use(await openSse(input));
  else if (era === "modern") link.use(await openStreamableHttp(input));
  else link.use(await openStreamableHttp(input), () => openSse(input));
  return link;
}

/** The address and what goes with each request; credentials in it are secrets from now on. */
function readAddress(
  config: HttpServerConfig | SseServerConfig,
  errors: ServerErrors,
): { url: URL; headers: Record<string, string> } {
  const url = new URL(config.url);
  const headers: Record<string, string> = { ...config.headers };
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (config.auth !== undefined) {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === "authorization") delete headers[name];
    headers["Authorization"] = `Bearer ${config.auth.token}`;
  } else if (url.username !== "" && !hasAuthorization) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const encoded = Buffer.from(credentials).toString("base64");
    headers["Authorization"] = `Basic ${encoded}`;
    errors.addSecrets([encoded]);
  }
  // fetch takes no address with credentials in it.
  url.username = "";
  url.password = "";
  return { url, headers };
}
