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
  const ms = ago === null ? Date.parse(withZone(text)) : nowMs - Number(ago[1]) * UNIT_MS[ago[2]!]!;
  const isTime = ago !== null || /^\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d.*)?$/.test(text);
  if (isTime && Number.isFinite(ms)) return new Date(ms).toISOString();
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
  if (ahead === null) return timeOf(text, nowMs);
  return new Date(nowMs + Number(ahead[1]) * UNIT_MS[ahead[2]!]!).toISOString();
}

/** A day begins in UTC, as all times of Cazi are. */
function withZone(text: string): string {
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`;
  return /(?:Z|[+-]\d\d:?\d\d)$/i.test(text) ? text : `${text}Z`;
}
