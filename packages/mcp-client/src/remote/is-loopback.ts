/**
 * Whether a host name means this machine: `localhost` and names below it, and loopback addresses.
 *
 * @param hostname - As `URL` has it: IPv6 addresses in brackets, IPv4 addresses in their dotted form.
 */
export function isLoopback(hostname: string): boolean {
  return /^(?:(?:.+\.)?localhost\.?|127(?:\.\d+){3}|\[::1\])$/i.test(hostname);
}
