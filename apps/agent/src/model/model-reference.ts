import { ModelError } from "./model-error.ts";
import type { ProviderId } from "./providers.ts";
import { isProviderId, providerIds } from "./providers.ts";

/** Which model of which provider. */
export interface ModelReference {
  provider: ProviderId;
  /** The provider's own name of the model. */
  name: string;
}

/** What people write for the model that picks tools by words. */
export const OFFLINE_NAME = "offline";

/**
 * Understands `provider/name`; a name may have slashes itself. A provider alone stands for its default model.
 *
 * @param source - Who named it, for the error: an option, a setting, a variable.
 * @throws ModelError when there is no such provider, or it has no default model
 */
export function parseModelReference(text: string, source: string): ModelReference {
  const [provider = "", ...rest] = text.trim().split("/");
  const name = rest.join("/").trim();
  if (!isProviderId(provider)) {
    throw new ModelError(
      `${source} names the model ${JSON.stringify(text)}, which is not provider/name. ` +
        `Providers: ${providerIds.join(", ")}; or ${OFFLINE_NAME}.`,
    );
  }
  return { provider, name };
}

/** The form in which a model is written and shown. */
export function formatModelReference({ provider, name }: ModelReference): string {
  return `${provider}/${name}`;
}
