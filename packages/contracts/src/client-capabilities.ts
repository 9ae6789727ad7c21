/**
 * What a host declares when it connects. Servers may list other tools depending on it, which is why it is part of the
 * tool cache's key.
 */
export interface ClientCapabilities {
  roots?: { listChanged?: boolean };
  sampling?: Record<string, unknown>;
  elicitation?: Record<string, unknown>;
  experimental?: Record<string, unknown>;
  extensions?: Record<string, unknown>;
}
