import { messageOf } from "@toolgate/contracts";

import type { ChosenModel } from "../model/choose-model.ts";
import { narrowTools } from "../model/narrow-tools.ts";
import type { AgentSession } from "../session/agent-session.ts";

/** What `/model` works with. */
export interface ModelSwitchOptions {
  session: Pick<AgentSession, "model">;
  /** Finds the model that is named. */
  choose: (named: string) => Promise<ChosenModel>;
  /** Names or globs of the only tools that a model gets. */
  tools: readonly string[] | undefined;
}

/** `/model`: says which model answers and why, or takes another one for the prompts to come. */
export class ModelSwitch {
  readonly #options: ModelSwitchOptions;
  #chosen: ChosenModel;

  constructor(chosen: ChosenModel, options: ModelSwitchOptions) {
    this.#chosen = chosen;
    this.#options = options;
  }

  /**
   * Carries the command out. A model that cannot be used leaves the present one in place.
   *
   * @param named - What follows `/model`; empty: nothing changes.
   * @returns what is to be shown
   */
  async run(named: string): Promise<string> {
    if (named === "") return `${this.#chosen.model.id} · ${this.#chosen.reason}`;
    try {
      this.#chosen = { ...(await this.#options.choose(named)), reason: "/model" };
    } catch (error) {
      return `${messageOf(error)}\n${this.#chosen.model.id} goes on answering.`;
    }
    this.#options.session.model = narrowTools(this.#chosen.model, this.#options.tools);
    return `${this.#chosen.model.id} answers from now on.`;
  }
}
