import { isIP } from "node:net";
import { classifyAddress } from "./classifyAddress.ts";

/** Where requests of tenants may go, beside https on public addresses. */
export interface OutboundPolicy {
  /**
   * Targets that may be private, and spoken to over http and on any port: a host, `*.domain`, or `*` for any host;
   * with `<tenant>/` before it, for that tenant alone.
   */
  readonly allowPrivate: readonly string[];
  /** Ports of public targets. */
  readonly ports: readonly number[];
}

/** What may be asked of a target beyond the ordinary. */
export function mayBePrivate(policy: OutboundPolicy, tenant: string, url: URL): boolean {
  const host = hostOf(url);
  return policy.allowPrivate.some((entry) => {
    const slash = entry.indexOf("/");
    if (slash >= 0 && entry.slice(0, slash) !== tenant) return false;
    const pattern = entry.slice(slash + 1).toLowerCase();
    if (pattern === "*" || pattern === host) return true;
    return pattern.startsWith("*.") && host.endsWith(pattern.slice(1));
  });
}

/**
 * Why a request must not go to `url`, as far as its text tells; null where only its address is left to be looked at.
 * A sentence that goes on after the address.
 */
export function whyNotTarget(policy: OutboundPolicy, tenant: string, url: URL): string | null {
  const allowed = mayBePrivate(policy, tenant, url);
  if (url.protocol !== "https:" && !(allowed && url.protocol === "http:"))
    return "is not https; http is for hosts of CAZI_SINK_ALLOW_PRIVATE only";
  const port = Number(url.port || (url.protocol === "https:" ? 443 : 80));
  if (!allowed && !policy.ports.includes(port))
    return `has port ${port}; public hosts are reached on ${policy.ports.join(", ")} only`;
  const host = hostOf(url);
  if (isIP(host)) return whyNotAddress(host, allowed);
  if (!allowed && (host === "localhost" || host.endsWith(".localhost"))) return whyPrivate("this machine");
  return null;
}

/**
 * Why this IP address must not be connected to, or null.
 * @param allowed what {@link mayBePrivate} said of its host
 */
export function whyNotAddress(address: string, allowed: boolean): string | null {
  const found = classifyAddress(address);
  if (found === "never") return `leads to ${address}, which is never reached`;
  return found === "private" && !allowed ? whyPrivate(address) : null;
}

/** The host without the brackets of IPv6 and without the dot of a whole name. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, "").replace(/\.$/, "");
}

function whyPrivate(where: string): string {
  return `leads to ${where}, which is private; an operator can allow its host with CAZI_SINK_ALLOW_PRIVATE`;
}
