import { createServer, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const HOST = "127.0.0.1";
const PATH = "/callback";

/** Waits on the loopback interface for a browser to come back from a sign-in (RFC 8252, 7.3). */
export class CallbackListener {
  /** The address to send the browser to. */
  readonly redirectUrl: string;
  readonly #server: Server;
  #accept: (parameters: URLSearchParams) => void = () => {};
  #state: string | undefined;

  private constructor(server: Server) {
    this.#server = server;
    this.redirectUrl = `http://${HOST}:${(server.address() as AddressInfo).port}${PATH}`;
    server.on("request", (request, response) => {
      this.#answer(new URL(request.url ?? "/", this.redirectUrl), request.method ?? "", response);
    });
  }

  /** @param port - `0` stands for any free one. */
  static async listen(port: number): Promise<CallbackListener> {
    const server = createServer();
    await new Promise<void>((resolve, reject) => {
      server.once("error", reject);
      server.listen(port, HOST, () => {
        server.off("error", reject);
        resolve();
      });
    });
    return new CallbackListener(server);
  }

  /** Resolves with the parameters of the first redirect that brings back the state; never rejects. */
  receive(state: string): Promise<URLSearchParams> {
    return new Promise((resolve) => {
      this.#state = state;
      this.#accept = resolve;
    });
  }

  /** Frees the port; connections that are open end once they are answered. Idempotent. */
  async close(): Promise<void> {
    this.#server.closeIdleConnections();
    await new Promise<void>((resolve) => {
      this.#server.close(() => resolve());
      // Whoever has connected and asks for nothing would keep the port.
      this.#server.closeIdleConnections();
      setImmediate(() => this.#server.closeAllConnections());
    });
  }

  #answer({ pathname, searchParams }: URL, method: string, response: ServerResponse): void {
    if (pathname !== PATH || method !== "GET") {
      answer(response, 404, "Nothing is here.");
      return;
    }
    // Any page can send a browser here; only the answer to this sign-in ends it.
    if (this.#state === undefined || searchParams.get("state") !== this.#state) {
      answer(
        response,
        400,
        "This is not the answer to the sign-in that is under way. Start it again, and use its newest page.",
      );
      return;
    }
    const text = searchParams.has("error") ? "The sign-in was refused." : "You are signed in.";
    response.once("close", () => this.#accept(searchParams));
    answer(response, 200, `${text} You can close this page.`);
  }
}

function answer(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    "content-type": "text/html; charset=utf-8",
    "cache-control": "no-store",
    "content-security-policy": "default-src 'none'",
    "referrer-policy": "no-referrer",
    connection: "close",
  });
  response.end(`<!doctype html><meta charset="utf-8"><title>Toolgate</title><p>${text}</p>\n`);
}
