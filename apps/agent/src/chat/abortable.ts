/**
 * Waits until a signal says otherwise; commands that wait for a server must not keep the prompt away. Nothing stays with
 * the signal afterwards.
 */
export async function abortable<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  let stop: () => void = () => {};
  const aborted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(signal.reason as Error);
  });
  if (signal.aborted) stop();
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
