import type { Logger } from "@toolgate/contracts";

import { sanitizeText } from "../terminal/sanitize-text.ts";

/**
 * Writes diagnostics to stderr when `TOOLGATE_DEBUG` is set, and nothing otherwise: what people must know is in the
 * outcome of a command.
 */
export function createStderrLogger(stderr: NodeJS.WritableStream, env: Record<string, string | undefined>): Logger {
  const enabled = (env["TOOLGATE_DEBUG"] ?? "") !== "";
  const write = (level: string, message: string): void => {
    if (enabled) stderr.write(`${level}: ${sanitizeText(message)}\n`);
  };
  return {
    debug: (message) => write("debug", message),
    info: (message) => write("info", message),
    warn: (message) => write("warn", message),
    error: (message) => write("error", message),
  };
}
