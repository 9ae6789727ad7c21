import type { Logger } from "@toolgate/contracts";
import { collectSecrets, createRedactor } from "@toolgate/contracts";
import type { LoggingLevel, MCPServerConnection } from "@toolgate/mcp-client";

import { ChangeThrottle } from "./change-throttle.ts";
import type { Clock } from "./clock.ts";
import type { UntimedEvent } from "./manager-events.ts";

/** What watching a server works with. */
export interface WatchServerOptions {
  clock: Clock;
  logger: Logger;
  emit: (event: UntimedEvent) => void;
  /** Lists the server's tools again. */
  refreshTools: () => Promise<void>;
}

/** What a server reports by itself. */
export interface ServerWatch {
  /** From now on a change of the tools is reacted to; before, the first list is under way and has it anyway. */
  toolsAreListed: () => void;
}

/**
 * Follows a server's notifications for as long as its connection lives: changed lists, updated resources, log messages.
 * Changes of one list are taken together, see {@link ChangeThrottle}. Lists of resources and prompts are not kept, so that
 * their change is an event and nothing is asked for.
 */
export function watchServer(connection: MCPServerConnection, options: WatchServerOptions): ServerWatch {
  const { clock, logger, emit } = options;
  const server = connection.name;
  const throttle = (list: string, react: () => Promise<void> | void): ChangeThrottle => {
    const created = new ChangeThrottle({ clock, logger, react, what: `${server}: following a change of its ${list}` });
    connection.onNotification(`notifications/${list}/list_changed`, () => created.report());
    return created;
  };
  const tools = throttle("tools", options.refreshTools);
  const resources = throttle("resources", () => emit({ type: "resources-changed", server }));
  const prompts = throttle("prompts", () => emit({ type: "prompts-changed", server }));
  const toolsAreListed = tools.hold();
  connection.onNotification("notifications/resources/updated", ({ uri }) => {
    if (typeof uri === "string") emit({ type: "resource-updated", server, uri });
  });
  const redact = createValueRedactor(createRedactor(collectSecrets(connection.config)));
  connection.onNotification("notifications/message", ({ level, logger: source, data }) => {
    emit({
      type: "server-log",
      server,
      level: isLoggingLevel(level) ? level : "info",
      ...(typeof source === "string" ? { logger: redact(source) as string } : {}),
      data: redact(data),
    });
  });
  const close = (): void => [tools, resources, prompts].forEach((created) => created.close());
  void connection.closed.then(close);
  return { toolsAreListed };
}

const LOGGING_LEVELS: ReadonlySet<unknown> = new Set<LoggingLevel>([
  "debug",
  "info",
  "notice",
  "warning",
  "error",
  "critical",
  "alert",
  "emergency",
]);

function isLoggingLevel(value: unknown): value is LoggingLevel {
  return LOGGING_LEVELS.has(value);
}

// What came over the wire is JSON, so that every text in it is seen.
function createValueRedactor(redact: (text: string) => string): (value: unknown) => unknown {
  return (value) =>
    value === undefined
      ? undefined
      : (JSON.parse(JSON.stringify(value), (_key, item: unknown) =>
          typeof item === "string" ? redact(item) : item,
        ) as unknown);
}
