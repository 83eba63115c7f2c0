import { answerCharsMax } from "../limits.ts";
import { delivered, failed, type Outcome } from "../outcome.ts";
import type { Answer } from "./guardedRequest.ts";

/**
 * What an answer means. Pure.
 *
 * 2xx: it is there. 410: the receiver wants nothing more, and is not asked again. 429 and 503 may say when to come
 * again. A redirect is no answer: where it leads was not looked at.
 * @param now milliseconds since 1970
 */
export function outcomeOfAnswer({ status, retryAfter, text }: Answer, now: number): Outcome {
  if (status >= 200 && status < 300) return delivered(`HTTP ${status}`);
  if (status === 410) return failed("HTTP 410: the receiver is gone for good", { final: true });
  if (status >= 300 && status < 400) return failed(`HTTP ${status}: redirects are not followed`);
  const said = text
    .replace(/[^ -~]+/g, " ")
    .trim()
    .slice(0, answerCharsMax);
  const waits = status === 429 || status === 503;
  return failed(said === "" ? `HTTP ${status}` : `HTTP ${status}: ${said}`, {
    retryAfterMs: waits && retryAfter !== null ? retryAfterMs(retryAfter, now) : null,
  });
}

/** Retry-After in milliseconds from now: seconds or a date (RFC 9110); null for neither. */
export function retryAfterMs(text: string, now: number): number | null {
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1000;
  const at = Date.parse(text);
  return Number.isNaN(at) ? null : Math.max(0, at - now);
}
