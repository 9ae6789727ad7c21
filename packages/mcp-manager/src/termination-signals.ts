const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Shuts down on SIGINT, SIGTERM and SIGHUP, then lets the signal end the process as if nobody had handled it. A second
 * signal ends it at once.
 *
 * @returns Stops handling.
 */
export function handleTerminationSignals(shutdown: () => Promise<void>): () => void {
  const onSignal = (signal: NodeJS.Signals): void => {
    stop();
    void shutdown().finally(() => process.kill(process.pid, signal));
  };
  const stop = (): void => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return stop;
}
