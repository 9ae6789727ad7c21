import { type MCPServerConfig, type ProtocolEra, silentLogger } from "@toolgate/contracts";

import type { Clock } from "./clock.ts";
import { HandshakeFailure } from "./connect-errors.ts";
import type { ConnectOptions } from "./connect-options.ts";
import type { CurrentLink } from "./current-link.ts";
import { pointsToOtherEra, supportedRevisions } from "./era-evidence.ts";
import type { NotificationListeners } from "./notification-listeners.ts";
import type { ProtocolSession } from "./protocol-session.ts";
import type { ServerErrors } from "./server-errors.ts";
import { InputClosedError } from "./server-link.ts";

/** What is known while the era of a server is found out. */
export interface EraNegotiation {
  config: MCPServerConfig;
  options: ConnectOptions;
  errors: ServerErrors;
  listeners: NotificationListeners;
  clock: Clock;
  /** Milliseconds for the whole handshake; 0 for no limit. */
  limit: number;
  current: CurrentLink;
  /** Rejects when time is up or the caller gives up. */
  failed: Promise<never>;
  /** The era that is being tried, or was tried last. */
  era: ProtocolEra;
  /** Called when the server can be written to, again after it was started anew. */
  onReady(): void;
}

/**
 * The eras to try, in this order; each after the first only if the attempt before it points there.
 *
 * A server of both eras stays with the era that comes first. A remembered modern era may be out of date: the server is
 * then asked by `initialize`, and its answer may still be that it speaks the modern one.
 */
export function planEras(config: MCPServerConfig, remembered: ProtocolEra | undefined): readonly ProtocolEra[] {
  if (config.protocol === "legacy" || config.protocol === "modern") return [config.protocol];
  // The transport of revision 2024-11-05 is not part of the modern era.
  if (config.type === "sse") return ["legacy"];
  return remembered === "modern" ? ["modern", "legacy", "modern"] : ["legacy", "modern"];
}

/**
 * Shakes hands in the first era that the server agrees to, over the same process or address.
 *
 * @throws what the attempt rejected with that says most about the server
 */
export async function negotiateEra(negotiation: EraNegotiation, plan: readonly ProtocolEra[]): Promise<ProtocolSession> {
  const { current, errors, failed, options } = negotiation;
  const failures: { era: ProtocolEra; error: unknown }[] = [];
  for (const [index, era] of plan.entries()) {
    negotiation.era = era;
    if (index > 0 && (await current.prepare(era))) {
      await Promise.race([current.link.ready, failed]);
      negotiation.onReady();
    }
    try {
      return await Promise.race([openSession(negotiation, index < plan.length - 1), failed]);
    } catch (error) {
      if (error instanceof HandshakeFailure) throw error;
      failures.push({ era, error });
      if (index === plan.length - 1 || !(await isWorthAnotherEra(era, error, current))) break;
      (options.logger ?? silentLogger).debug(`${errors.label} does not speak the ${era} era: ${errors.messageOf(error)}`);
    }
  }
  // Of several refusals, one that names revisions says more than "method not found".
  const last = failures.at(-1);
  const refused = failures.every(({ era, error }) => pointsToOtherEra(era, error));
  const told = (refused ? failures.find(({ error }) => supportedRevisions(error) !== undefined) : undefined) ?? last;
  if (told !== undefined) negotiation.era = told.era;
  throw told?.error;
}

async function openSession(negotiation: EraNegotiation, hasFallback: boolean): Promise<ProtocolSession> {
  const { clock, current, errors, era, limit, listeners, options } = negotiation;
  const { link } = current;
  if (era === "legacy") {
    const { openLegacySession } = await import("./legacy-session.ts");
    return openLegacySession({ options, errors, listeners, link, transport: current.lend() });
  }
  const { openModernSession } = await import("../modern/open-modern-session.ts");
  // Silence of a process may be the way of an older server; half of the time is left to ask otherwise. Over HTTP it is an outage.
  const patience = hasFallback && link.pid !== undefined && limit > 0 ? limit / 2 : undefined;
  return openModernSession({ options, errors, listeners, link, clock, patience, lend: (receive) => current.lend(receive) });
}

/** A process that ends at a method it does not know is of the legacy era. */
async function isWorthAnotherEra(era: ProtocolEra, error: unknown, current: CurrentLink): Promise<boolean> {
  const { link } = current;
  if (error instanceof InputClosedError) await link.closed;
  if (link.closeReason !== undefined) return era === "modern" && link.pid !== undefined;
  return pointsToOtherEra(era, error);
}
