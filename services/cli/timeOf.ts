import { Rejection } from "../kernel/errors.ts";

const UNIT_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/**
 * A time that a person wrote: how long ago (`90s`, `15m`, `1h`, `2d`), a day, or a time of RFC 3339. Pure.
 * @returns RFC 3339, UTC
 * @throws Rejection `USAGE`
 */
export function timeOf(text: string, nowMs: number): string {
  const ago = /^(\d{1,7})([smhd])$/.exec(text);
  const ms = ago === null ? timeStood(text) : nowMs - Number(ago[1]) * UNIT_MS[ago[2]!]!;
  if (ms !== null) return new Date(ms).toISOString();
  throw new Rejection("USAGE", `"${text}" is no time`, {
    hint: "Write how long ago, such as 90s, 15m, 1h or 2d, or a time, such as 2026-11-29 or 2026-11-29T12:00:00Z.",
  });
}

/**
 * A time ahead that a person wrote: in how long (`12h`, `90d`), a day, or a time of RFC 3339. Pure.
 * @returns RFC 3339, UTC
 * @throws Rejection `USAGE`
 */
export function timeAhead(text: string, nowMs: number): string {
  const ahead = /^(\d{1,7})([smhd])$/.exec(text);
  const ms = ahead === null ? timeStood(text) : nowMs + Number(ahead[1]) * UNIT_MS[ahead[2]!]!;
  if (ms !== null && ms <= LATEST_MS) return new Date(ms).toISOString();
  throw new Rejection("USAGE", `"${text}" is no time ahead`, {
    hint: "Write in how long, such as 12h or 90d, or a time, such as 2027-01-31 or 2027-01-31T12:00:00Z.",
  });
}

/** The last of year 9999: RFC 3339 has no later one. */
const LATEST_MS = Date.UTC(9999, 11, 31);

/** A day or a time, in milliseconds; null for anything else. */
function timeStood(text: string): number | null {
  const ms = Date.parse(withZone(text));
  return /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text) && Number.isFinite(ms) ? ms : null;
}

/** A day begins in UTC, as all times of Cazi are. */
function withZone(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
}
