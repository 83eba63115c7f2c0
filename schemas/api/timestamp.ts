import { z } from "zod";

/** A time as the API shows it: RFC 3339, UTC, milliseconds. */
export const timestamp = z.iso.datetime().describe("Time, RFC 3339 in UTC with milliseconds.");

/** A time as a caller writes it: RFC 3339, in any zone. */
export const moment = z.iso
  .datetime({ offset: true, error: "must be a time of RFC 3339, such as 2026-11-29T12:00:00Z" })
  .describe("Time, RFC 3339.");

/** Milliseconds since 1970, as the ledger keeps time, in the API's form. */
export function toTimestamp(ms: number): string {
  return new Date(ms).toISOString();
}

/** {@link toTimestamp}, where there may be no time. */
export function toTimestampOrNull(ms: number | null): string | null {
  return ms === null ? null : toTimestamp(ms);
}
