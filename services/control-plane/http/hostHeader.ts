const LOOPBACK_NAMES: ReadonlySet<string> = new Set(["localhost", "127.0.0.1", "[::1]"]);

/** True for an address that only this machine reaches. */
export function isLoopback(address: string): boolean {
  return address === "localhost" || address === "::1" || /^127(\.\d{1,3}){3}$/.test(address);
}

/** Names beside loopback's that a Host header may give; null where any name is right. Pure. */
export function allowedHosts(of: {
  readonly configured: readonly string[];
  /** The address that is listened on. */
  readonly listensOn: string;
}): readonly string[] | null {
  const { configured, listensOn } = of;
  if (configured.length > 0) return [...configured.map((name) => name.toLowerCase()), listensOn];
  return isLoopback(listensOn) ? [listensOn] : null;
}

/**
 * True when a request may be for us by its Host header. A web page of a name that was made to point here (DNS
 * rebinding) says its own name, so a server that only this machine reaches answers to loopback's names alone.
 * @param allowed further names; null where any name is right
 */
export function isAllowedHost(host: string | undefined, allowed: readonly string[] | null): boolean {
  if (allowed === null) return true;
  if (host === undefined) return false;
  const name = host.toLowerCase().replace(/:\d{1,5}$/, "");
  return LOOPBACK_NAMES.has(name) || allowed.includes(name);
}
