import { isAllowedHost } from "./hostHeader.ts";

/**
 * True when a request comes from no web page, or from one of this machine, of a configured name, or of this very
 * server. Browsers set Origin and no page can change it, so a page of somebody else's is found out here. Pure.
 * @param of.allowed names beside loopback's; null where any host is right, and then the page's own must be the host
 */
export function isAllowedOrigin(of: {
  readonly origin: string | undefined;
  readonly host: string | undefined;
  readonly allowed: readonly string[] | null;
}): boolean {
  const { origin, host, allowed } = of;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const page = new URL(origin);
  if (page.protocol !== "http:" && page.protocol !== "https:") return false;
  if (isAllowedHost(page.hostname, allowed ?? [])) return true;
  return allowed === null && host !== undefined && page.host === host.toLowerCase();
}
