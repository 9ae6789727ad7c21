import type { AgentTool } from "@toolgate/contracts";

import type { AgentModel } from "../session/agent-model.ts";
import { matchesTool } from "../session/tool-patterns.ts";

/** The same model, which is offered only the tools that one of the names or globs means. */
export function narrowTools(model: AgentModel, references: readonly string[] | undefined): AgentModel {
  if (references === undefined) return model;
  const isMeant = (tool: AgentTool): boolean => references.some((reference) => matchesTool(tool, reference));
  return {
    id: model.id,
    textFormat: model.textFormat ?? "markdown",
    respond: (request) => model.respond({ ...request, tools: request.tools.filter(isMeant) }),
  };
}
