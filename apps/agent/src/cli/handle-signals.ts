/** Exit status of a process that a signal has ended, as shells report it. */
const SIGNAL_STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Signal = keyof typeof SIGNAL_STATUS;

/** What the signals do. */
export interface SignalHandling {
  /** Aborted by the first signal. */
  readonly signal: AbortSignal;
  /** The exit status that the first signal asks for; undefined as long as there was none. */
  exitStatus(): number | undefined;
  /** Leaves the signals to the system again. */
  stop(): void;
}

/**
 * Turns SIGINT, SIGTERM and SIGHUP into an abort, so that everything is torn down before the process ends; a second one
 * ends the process at once.
 */
export function handleSignals(process: NodeJS.Process): SignalHandling {
  const controller = new AbortController();
  let received: Signal | undefined;
  const listeners = (Object.keys(SIGNAL_STATUS) as Signal[]).map((name) => {
    const listener = (): void => {
      if (received !== undefined) process.exit(SIGNAL_STATUS[name]);
      received = name;
      controller.abort(new DOMException(`Interrupted by ${name}.`, "AbortError"));
    };
    process.on(name, listener);
    return { name, listener };
  });
  return {
    signal: controller.signal,
    exitStatus: () => (received === undefined ? undefined : SIGNAL_STATUS[received]),
    stop() {
      for (const { name, listener } of listeners) process.off(name, listener);
    },
  };
}
