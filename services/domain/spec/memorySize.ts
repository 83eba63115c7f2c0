import { type Refusal, refuse } from "../refusal.ts";

const SIZE = /^(\d{1,16}(?:\.\d{1,6})?) ?(?:([kmgt])i?)?b?$/i;
const POWERS: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, t: 4 };

/**
 * Bytes of a size such as `"512Mi"`, `"1g"`, `"1.5GiB"` or `1048576`. Every suffix counts in 1024s, upper or
 * lower case, with or without `i` and `b`, as the Docker command line reads them.
 * @returns a whole number of bytes, or a refusal `MEMORY_SIZE_INVALID`. The range is the caller's to check.
 */
export function parseMemorySize(given: string | number): number | Refusal {
  if (typeof given === "number") return whole(given, String(given));
  const match = SIZE.exec(given);
  if (match === null) return invalid(given);
  const [, amount, unit] = match;
  return whole(Number(amount) * 1024 ** (unit ? (POWERS[unit.toLowerCase()] ?? 0) : 0), given);
}

function whole(bytes: number, given: string): number | Refusal {
  return Number.isSafeInteger(bytes) && bytes >= 0 ? bytes : invalid(given);
}

function invalid(given: string): Refusal {
  return refuse(
    "MEMORY_SIZE_INVALID",
    `${JSON.stringify(given.slice(0, 40))} is not a size; write a whole number of bytes, or one with a suffix such as 512Mi or 1g`,
  );
}
