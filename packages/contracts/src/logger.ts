/** Where diagnostics go. Implementations must not throw; `data` holds no secrets. */
export interface Logger {
  debug(message: string, data?: unknown): void;
  info(message: string, data?: unknown): void;
  warn(message: string, data?: unknown): void;
  error(message: string, data?: unknown): void;
}

/** The library's default: says nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
