/** An answer whose body is made by a generator; status and headers stay. */
export function withBody(response: Response, chunks: AsyncGenerator<Uint8Array>, cancel: () => void): Response {
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await chunks.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      // A generator that waits for bytes cannot be ended from outside: what it waits for has to end.
      cancel,
    },
    { highWaterMark: 0 },
  );
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/** Reads what is left of an answer that nobody needs, so that its connection can be used again. */
export async function drain(response: Response): Promise<void> {
  try {
    for await (const chunk of response.body ?? []) void chunk;
  } catch {
    // It is cut off when the link is closed.
  }
}
