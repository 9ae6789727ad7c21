import { isRecord } from "@toolgate/contracts";

import { readDocument } from "../document.ts";
import type { FinishTools, ServerProviderItem } from "../file-provider.ts";

/** The item, disabled, with the file that disables it; unchanged when there is none. */
export function disableItem(item: ServerProviderItem, path: string | undefined): ServerProviderItem {
  return path === undefined ? item : { ...item, config: { ...item.config, enabled: false }, disabledBy: path };
}

/** Reads a file whose problems are reported elsewhere: one that cannot be used is one that says nothing. */
export function readSilently(tools: FinishTools): FinishTools["read"] {
  return async (path) => {
    const document = await readDocument(tools.context, path);
    return document.state === "parsed" && isRecord(document.value) ? document.value : undefined;
  };
}
