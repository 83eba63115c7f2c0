import { isRefusal } from "../../../domain/refusal.ts";
import { parseImageReference } from "../../../domain/spec/imageReference.ts";
import { retryAfterLongestMs, retryAfterTimeoutMs } from "../../limits.ts";

const HUB = "registry-1.docker.io";
/** As engines have it: these registries may be spoken to without TLS. */
const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3})(?::\d+)?$/;

/**
 * What a registry that limits its callers says about when to come back. The engine keeps that header to itself, so
 * the manifest is asked for here, by HEAD, which registries do not count. Anonymous, one request, no redirect.
 * @returns milliseconds; null when it does not say so to us: it wants a token first, or only the engine reaches it
 */
export async function askRetryAfter(ref: string): Promise<number | null> {
  const url = manifestUrl(ref);
  if (url === null) return null;
  try {
    const signal = AbortSignal.timeout(retryAfterTimeoutMs);
    const answer = await fetch(url, { method: "HEAD", redirect: "manual", signal });
    const text = answer.status === 429 || answer.status === 503 ? answer.headers.get("retry-after") : null;
    return text === null ? null : retryAfterMs(text, answer.headers.get("date"));
  } catch {
    // Only a better guess at how long to wait: without it the own back-off holds.
    return null;
  }
}

function manifestUrl(ref: string): string | null {
  const reference = parseImageReference(ref);
  if (isRefusal(reference)) return null;
  const { registry, repository, tag, digest } = reference;
  const hub = registry === null || registry === "docker.io" || registry === "index.docker.io";
  const path = hub && !repository.includes("/") ? `library/${repository}` : repository;
  const scheme = registry !== null && LOOPBACK.test(registry) ? "http" : "https";
  return `${scheme}://${hub ? HUB : registry}/v2/${path}/manifests/${digest ?? tag}`;
}

/**
 * The header's value, seconds or a date (RFC 9110), in milliseconds from now.
 * @param date the answer's own date: a date is counted from it, not from this machine's clock
 */
export function retryAfterMs(text: string, date: string | null): number | null {
  const ms = /^\d{1,9}$/.test(text.trim()) ? Number(text) * 1000 : Date.parse(text) - Date.parse(date ?? "");
  return Number.isFinite(ms) && ms >= 0 ? Math.min(ms, retryAfterLongestMs) : null;
}
