import type { ChosenModel } from "../model/choose-model.ts";
import { ModelError } from "../model/model-error.ts";
import type { Host } from "./host.ts";
import { UsageError } from "./host.ts";

/**
 * The model that options, settings and the environment choose.
 *
 * @param namedBy - What the name in the options comes from, for errors.
 * @throws UsageError when `--model` names one that cannot be used
 * @throws ModelError when a setting or a variable does
 */
export async function chooseHostModel(
  { options, settings, env }: Pick<Host, "options" | "settings" | "env">,
  signal: AbortSignal,
  namedBy = "--model",
): Promise<ChosenModel> {
  const { chooseModel } = await import("../model/choose-model.ts");
  try {
    return await chooseModel({
      ...(options.model === undefined ? {} : { named: options.model }),
      namedBy,
      setting: settings.model,
      env,
      signal,
    });
  } catch (error) {
    throw error instanceof ModelError && options.model !== undefined ? new UsageError(error.message) : error;
  }
}
