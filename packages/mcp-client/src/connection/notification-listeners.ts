import type { NotificationListener } from "./connection.ts";

/** The listeners of one connection by method. */
export class NotificationListeners {
  /** Told which method is listened to, after each new listener. A server may have to be asked for it first. */
  onListen: ((method: string) => void) | undefined;
  readonly #byMethod = new Map<string, Set<NotificationListener>>();

  add(method: string, listener: NotificationListener): () => void {
    const listeners = this.#byMethod.get(method) ?? new Set();
    this.#byMethod.set(method, listeners.add(listener));
    this.onListen?.(method);
    return () => {
      listeners.delete(listener);
    };
  }

  dispatch(method: string, params: Record<string, unknown>): void {
    for (const listener of this.#byMethod.get(method) ?? []) listener(params);
  }
}
