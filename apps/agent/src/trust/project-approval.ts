import type { SourceMeta } from "@toolgate/contracts";
import type { ApprovalRequest } from "@toolgate/mcp-manager";

import type { TrustSubject } from "./definition-hash.ts";
import type { TrustStore } from "./trust-store.ts";

/** Whether an entry runs only after approval: what a project file declares is the project's wish, not the user's. */
export function needsApproval(source: Pick<SourceMeta, "level"> | undefined): boolean {
  return source?.level === "project";
}

/** What an approval of a server would be given for. */
export function trustSubjectOf(
  request: Pick<ApprovalRequest, "name" | "definition" | "config" | "source">,
): TrustSubject {
  return {
    name: request.name,
    definition: request.definition ?? request.config,
    path: request.source?.path ?? "",
  };
}

/**
 * The `approve` hook of a manager that lets project servers run only when their exact definition has been approved.
 * User, system and runtime entries are the user's own and always run.
 */
export function createProjectApproval(store: TrustStore): (request: ApprovalRequest) => boolean | Promise<boolean> {
  return (request) => !needsApproval(request.source) || store.isApproved(trustSubjectOf(request));
}
