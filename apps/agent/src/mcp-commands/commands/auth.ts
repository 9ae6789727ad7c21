import type { MCPServerConfig, SourceMeta } from "@toolgate/contracts";
import { ToolgateError } from "@toolgate/contracts";
import { signIn, signOut } from "@toolgate/mcp-client";

import { sanitizeLine, sanitizeText } from "../../terminal/sanitize-text.ts";
import { needsApproval } from "../../trust/project-approval.ts";
import type { CommandContext } from "../command-context.ts";
import type { CommandOutcome } from "../command-outcome.ts";
import { EXIT_STATUS } from "../command-outcome.ts";
import { endInSession, startInSession } from "../live-session.ts";
import { openInBrowser } from "../open-in-browser.ts";
import { unknownServerError } from "../server-access.ts";
import { requireSource } from "../server-source.ts";
import { subjectOf } from "./trust.ts";

/** `auth`: signs in to a remote server with the browser, and keeps the sign-in for every later start. */
export async function signInToServer(server: string, context: CommandContext): Promise<CommandOutcome> {
  const { credentials, signal, notify, readLine, prefix } = context;
  const loaded = await context.servers.load();
  const config = loaded.configs[server];
  if (config === undefined) throw unknownServerError(loaded, server);
  const source = requireSource(loaded, server);
  // Signing in contacts whatever addresses the server names: as starting it, that needs the person's approval.
  if (needsApproval(source) && !(await context.trust.isApproved(subjectOf(loaded, server)))) {
    const message = `${server} is declared by the project (${source.path}) and not approved yet: ${prefix} trust ${server}`;
    throw new ToolgateError("NOT_TRUSTED", message, { server });
  }
  const { issuer, scope, expiresAt } = await signIn(server, config, {
    source,
    signal,
    authorization: {
      storage: credentials,
      clientName: "Toolgate",
      onAuthorizationUrl: async (url) => {
        notify(`Sign in to ${sanitizeLine(server)} in the browser:\n  ${sanitizeLine(url)}`);
        await openInBrowser(url, context);
      },
      ...(readLine === undefined
        ? {}
        : {
            readCallback: async ({ signal: answered }) => {
              const address = await readLine(
                "If that browser is on another machine, paste the address that it ends at: ",
                answered,
              );
              // An empty line is no answer: the browser's own may still come.
              return address.trim() === "" ? new Promise<never>(() => {}) : address;
            },
          }),
    },
  });
  await endInSession(server, context);
  const connected = await startInSession([server], loaded, context);
  const result = connected.includes(server) ? "signed in and connected" : "signed in";
  return {
    document: {
      name: server,
      issuer,
      ...(scope === undefined ? {} : { scope }),
      ...(expiresAt === undefined ? {} : { expiresAt }),
    },
    text: sanitizeLine(`${server}: ${result} (${issuer})`),
    exitStatus: EXIT_STATUS.fine,
  };
}

/** `logout`: revokes a sign-in where the authorization server can do that, and forgets it. */
export async function signOutOfServer(server: string, context: CommandContext): Promise<CommandOutcome> {
  const loaded = await context.servers.load();
  const known: { config: MCPServerConfig; source?: SourceMeta | undefined } | undefined =
    loaded.configs[server] === undefined
      ? loaded.disabled[server]
      : { config: loaded.configs[server], source: loaded.sources[server] };
  if (known === undefined) throw unknownServerError(loaded, server);
  const { revoked, reason } = await signOut(server, known.config, {
    ...(known.source === undefined ? {} : { source: known.source }),
    authorization: { storage: context.credentials },
  });
  const ended = await endInSession(server, context);
  const notes = revoked || reason === undefined ? [] : [sanitizeText(`Its tokens were not revoked: ${reason}`)];
  return {
    document: { name: server, revoked, ...(reason === undefined ? {} : { reason }) },
    text: sanitizeLine(`${server}: signed out${ended ? " and disconnected" : ""}`),
    exitStatus: EXIT_STATUS.fine,
    notes,
  };
}
