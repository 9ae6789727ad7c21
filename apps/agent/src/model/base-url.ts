import { ModelError } from "./model-error.ts";
import type { ModelSettings } from "./model-settings.ts";
import type { Provider } from "./providers.ts";

/**
 * Where a provider is reached: the setting, else a variable, else its own address.
 *
 * @throws ModelError when there is no address, or none that can be used
 */
export function baseUrlOf(
  provider: Provider,
  { settings, env }: { settings: ModelSettings; env: Record<string, string | undefined> },
): string {
  const { [provider.id]: configured } = settings.baseUrls;
  const variable = provider.baseUrlVariables.find((name) => (env[name] ?? "").trim() !== "");
  const text = configured ?? (variable === undefined ? undefined : env[variable]) ?? provider.baseUrl;
  if (text === undefined) {
    throw new ModelError(
      `${provider.displayName} needs an address: set ${provider.baseUrlVariables.join(" or ")}, ` +
        `or "model": { "baseUrls": { "${provider.id}": "http://…/v1" } } in Toolgate's own configuration.`,
    );
  }
  return completeUrl(text.trim(), provider);
}

function completeUrl(text: string, { displayName, basePath }: Provider): string {
  // OLLAMA_HOST is often a host and a port, and for a server the address that it listens on.
  const address = /^[a-z]+:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address) || !/^https?:/i.test(address)) {
    throw new ModelError(`The address of ${displayName} is no http or https URL.`);
  }
  const url = new URL(address);
  // No request could be made with it, and each failure would tell the whole address.
  if (url.username !== "" || url.password !== "") {
    throw new ModelError(
      `The address of ${displayName} must hold no user name and no password; a key has its variable.`,
    );
  }
  if (url.hostname === "0.0.0.0") url.hostname = "127.0.0.1";
  const path = url.pathname.replace(/\/+$/, "");
  url.pathname = basePath === undefined || path.endsWith(basePath) ? path : `${path}${basePath}`;
  return url.href.replace(/\/+$/, "");
}
