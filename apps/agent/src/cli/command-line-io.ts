/** What the command line uses of its process. */
export interface CommandLineIO {
  stdin: NodeJS.ReadStream;
  stdout: NodeJS.WriteStream;
  stderr: NodeJS.WriteStream;
  env: Record<string, string | undefined>;
  platform: NodeJS.Platform;
}

/**
 * Writes a text and waits until the stream has taken it.
 *
 * A reader that has gone away (`| head`) is no failure of ours: what it does not want is dropped.
 */
export function writeText(stream: NodeJS.WritableStream, text: string): Promise<void> {
  if (text === "") return Promise.resolve();
  return new Promise((resolve) => {
    stream.write(text, () => resolve());
  });
}

/** What writing says once nobody can read any more: a pipe without a reader, a terminal whose window is closed. */
const CLOSED: ReadonlySet<string | undefined> = new Set(["EPIPE", "EIO", "ERR_STREAM_DESTROYED"]);

/** Keeps a closed pipe or terminal from becoming an uncaught error. */
export function ignoreClosedPipes(streams: readonly NodeJS.WritableStream[]): void {
  for (const stream of streams) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (!CLOSED.has(error.code)) throw error;
    });
  }
}

/** All of a stream as text. */
export async function readAll(stream: NodeJS.ReadableStream): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(Buffer.from(chunk));
  return Buffer.concat(chunks).toString("utf8");
}
