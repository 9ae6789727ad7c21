import { join } from "node:path";

import { findNativeUserFile, setServerDisabledOverlay } from "@toolgate/capability-discovery";
import { isRecord, silentLogger } from "@toolgate/contracts";

import type { SettingsPlaces } from "../settings/load-settings.ts";
import type { HostPlaces } from "../state/state-directory.ts";
import { stateDirectory } from "../state/state-directory.ts";
import type { StateFile } from "../state/state-file.ts";
import { createStateFile } from "../state/state-file.ts";
import type { ForeignServer } from "./foreign-servers.ts";

/** When a person has chosen among the servers of other clients. */
interface ChoiceState {
  /** ISO 8601. */
  chosenAt?: string;
}

/** Whether a person has chosen among the servers of other clients, once and for all of them. */
export async function hasChosen(places: HostPlaces): Promise<boolean> {
  return (await choiceFile(places).read()).chosenAt !== undefined;
}

/**
 * Remembers a choice: what was not chosen is switched off for Toolgate alone, as `disable` does, in the native user
 * file; that there was a choice is kept in `choice.json` of the state directory.
 *
 * @returns the file with the names
 */
export async function applyChoice(
  chosen: readonly string[],
  servers: readonly ForeignServer[],
  places: SettingsPlaces,
): Promise<string> {
  const path = findNativeUserFile(places);
  for (const { name } of servers) {
    // oxlint-disable-next-line no-await-in-loop -- all change the same file
    await setServerDisabledOverlay(path, name, !chosen.includes(name));
  }
  const chosenAt = new Date().toISOString();
  await choiceFile(places).update((state) => Object.assign(state, { chosenAt }));
  return path;
}

function choiceFile(places: HostPlaces): StateFile<ChoiceState> {
  return createStateFile<ChoiceState>({
    path: join(stateDirectory(places), "choice.json"),
    what: "choices among servers",
    remedy: "you are asked again",
    parse: (value) => (isRecord(value) && typeof value["chosenAt"] === "string" ? { chosenAt: value["chosenAt"] } : {}),
    serialize: (state) => state,
    logger: silentLogger,
  });
}
