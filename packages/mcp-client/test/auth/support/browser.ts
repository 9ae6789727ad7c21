/** A browser that goes where it is sent, with cookies, up to the loopback redirect. */
export class Browser {
  readonly #cookies = new Map<string, string>();

  /** Goes through a sign-in. @returns the address that the authorization server sends the browser to in the end */
  async signIn(address: string): Promise<URL> {
    let url = new URL(address);
    for (let hops = 0; hops < 20; hops += 1) {
      const location = await this.#open(url);
      url = new URL(location, url);
      if (url.pathname === "/callback") return url;
    }
    throw new Error("the sign-in has no end");
  }

  async #open(url: URL): Promise<string> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await fetch(url, { redirect: "manual", headers: { cookie } });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") this.#cookies.delete(name);
      else this.#cookies.set(name, value);
    }
    const location = response.headers.get("location");
    if (location === null) throw new Error(`${url.pathname} answered ${response.status}: ${await response.text()}`);
    await response.body?.cancel();
    return location;
  }
}

/** Signs in and opens the redirect, as a browser on the same machine does. */
export async function signInByBrowser(address: string): Promise<void> {
  const callback = await new Browser().signIn(address);
  const response = await fetch(callback);
  await response.text();
}

/** The address that a fetch was called with. */
export function addressOf(input: Parameters<typeof fetch>[0]): string {
  if (typeof input === "string") return input;
  return "url" in input ? input.url : input.href;
}
