import { collectSecrets, type HttpServerConfig, maskUrl, type SseServerConfig } from "@toolgate/contracts";

import { systemClock } from "../connection/clock.ts";
import type { ConnectOptions } from "../connection/connect-options.ts";
import type { ServerLink } from "../connection/server-link.ts";
import { ChannelLink } from "./channel-link.ts";
import type { ChannelInput } from "./channel.ts";
import { explainFailures, GetFailure } from "./explain-failures.ts";
import { proxyFromEnvironment } from "./proxy.ts";
import { followWithinOrigin } from "./redirects.ts";
import { openSse } from "./sse.ts";
import { openStreamableHttp } from "./streamable-http.ts";
import { unlimitedFetch } from "./unlimited-fetch.ts";

/** Makes the link to a remote server; nothing is sent before it is started. */
export async function createRemoteLink(
  config: HttpServerConfig | SseServerConfig,
  options: ConnectOptions,
): Promise<ServerLink> {
  const { url, headers, secrets } = readAddress(config);
  const clock = options.clock ?? systemClock;
  const network =
    options.fetch === undefined
      ? proxyFromEnvironment(unlimitedFetch, options.env ?? process.env)
      : { fetch: options.fetch, close: () => Promise.resolve() };
  const failures = new GetFailure();
  const fetch = explainFailures(followWithinOrigin(network.fetch), failures, secrets);
  const link = new ChannelLink({ clock, address: maskUrl(config.url), closeNetwork: () => network.close() });
  const livenessInterval = options.livenessIntervalMs;
  const input: ChannelInput = { url, headers, fetch, failures, clock, livenessInterval, events: link };
  if (config.type === "sse") link.use(await openSse(input));
  else link.use(await openStreamableHttp(input), () => openSse(input));
  return link;
}

interface Address {
  url: URL;
  headers: Record<string, string>;
  /** What must not be seen in the text of an error. */
  secrets: string[];
}

function readAddress(config: HttpServerConfig | SseServerConfig): Address {
  const url = new URL(config.url);
  const headers: Record<string, string> = { ...config.headers };
  const secrets = collectSecrets(config);
  const hasAuthorization = Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
  if (config.auth !== undefined) {
    for (const name of Object.keys(headers)) if (name.toLowerCase() === "authorization") delete headers[name];
    headers["Authorization"] = `Bearer ${config.auth.token}`;
  } else if (url.username !== "" && !hasAuthorization) {
    const credentials = `${decodeURIComponent(url.username)}:${decodeURIComponent(url.password)}`;
    const encoded = Buffer.from(credentials).toString("base64");
    headers["Authorization"] = `Basic ${encoded}`;
    secrets.push(encoded);
  }
  // fetch takes no address with credentials in it.
  url.username = "";
  url.password = "";
  return { url, headers, secrets };
}
