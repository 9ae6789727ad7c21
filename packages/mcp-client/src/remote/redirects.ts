import { HttpStatusError } from "./http-errors.ts";

const MOST_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * A fetch that follows a redirect within its origin and no other: headers and credentials of an entry are for the origin
 * that the entry names. A POST is followed by 307 and 308 only, since the others turn it into a GET.
 *
 * @throws HttpStatusError for a redirect that is not followed; its note says what to put into the entry
 */
export function followWithinOrigin(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
  return async (input, init) => {
    const method = init?.method ?? "GET";
    let from = new URL(input instanceof Request ? input.url : input);
    for (let followed = 0; ; followed += 1) {
      const response = await fetch(from, { ...init, redirect: "manual" });
      const target = targetOf(response, from);
      if (target === undefined) return response;
      await response.body?.cancel().catch(() => {});
      const refusal = reasonAgainst({ from, target, method, status: response.status, followed });
      if (refusal !== undefined) throw new HttpStatusError(response.status, "", null, refusal);
      from = target;
    }
  };
}

interface Redirect {
  from: URL;
  target: URL;
  method: string;
  status: number;
  followed: number;
}

function reasonAgainst({ from, target, method, status, followed }: Redirect): string | undefined {
  const advice = `If that is its address now, put "url": "${show(target)}" into its entry.`;
  if (target.origin !== from.origin) {
    return `It redirects from ${from.origin} to another origin, ${target.origin}: nothing was sent there. ${advice}`;
  }
  if (target.username !== "" || target.password !== "") return "It redirects to an address with credentials in it.";
  if (method !== "GET" && status !== 307 && status !== 308) {
    return `It redirects ${method} in a way that loses what was sent. ${advice}`;
  }
  return followed === MOST_REDIRECTS ? `It redirected ${MOST_REDIRECTS} times and would go on.` : undefined;
}

function targetOf(response: Response, from: URL): URL | undefined {
  if (!REDIRECTS.has(response.status)) return undefined;
  const location = response.headers.get("location");
  return location !== null && URL.canParse(location, from.href) ? new URL(location, from) : undefined;
}

/** Without what may be a secret: credentials and parameters. */
function show(url: URL): string {
  return `${url.origin}${url.pathname}`;
}
