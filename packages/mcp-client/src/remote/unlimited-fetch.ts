/** Where Node.js keeps what its own fetch sends requests with; a host may have put a dispatcher of its own there. */
const GLOBAL_DISPATCHER: unique symbol = Symbol.for("undici.globalDispatcher.1");

/** The part of a dispatcher of undici that is used here. */
export interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/**
 * Node.js's own fetch without its limits of 300 s for the headers of an answer and between two parts of its body: a call
 * may be silent for longer, and how long is the caller's to say. Where Node.js keeps no dispatcher the limits stay.
 */
export const unlimitedFetch: typeof globalThis.fetch = (input, init) => {
  // The dispatcher is there once something of fetch has been used.
  void globalThis.Headers;
  const { [GLOBAL_DISPATCHER]: dispatcher } = globalThis as { [GLOBAL_DISPATCHER]?: Dispatcher };
  if (dispatcher === undefined) return globalThis.fetch(input, init);
  return globalThis.fetch(input, { ...init, dispatcher: withoutLimits(dispatcher) } as RequestInit);
};

/** A dispatcher that asks another one for no limits on headers and body. */
export function withoutLimits(dispatcher: Dispatcher): Dispatcher {
  return {
    dispatch: (options, handler) => dispatcher.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
}
