import type { Provider } from "./providers.ts";

/** What becomes of images in a conversation with one model. */
export interface ImageForm {
  /** Media types that the model takes; none when it takes no images. */
  types: readonly string[];
  /** Whether results of tools may hold them; else they follow the results in a message of their own. */
  inResults: boolean;
  /** What the note in place of an image that is not passed on says about the reason. */
  refusal: string;
}

/**
 * What one model takes.
 *
 * @param setting - What the settings say of it; without that it is as the provider's models usually are.
 */
export function imageFormOf({
  id,
  provider,
  setting,
}: {
  id: string;
  provider: Provider;
  setting?: boolean;
}): ImageForm {
  const { types, inResults, isUsual } = provider.images;
  if (setting ?? isUsual) return { types, inResults, refusal: "the model takes no images of this type" };
  const example = JSON.stringify({ model: { models: { [id]: { images: true } } } });
  return {
    types: [],
    inResults,
    refusal: `${id} counts as one that takes no images; ${example} in Toolgate's own configuration says that it does`,
  };
}
