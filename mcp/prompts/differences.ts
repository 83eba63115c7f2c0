/** Where two values of JSON differ. Pure. */

export interface Difference {
  /** JSON Pointer (RFC 6901). */
  readonly pointer: string;
  /** Absent where the first has nothing there. */
  readonly first?: unknown;
  readonly second?: unknown;
}

/** Members that differ, deepest first named, in the order of the keys; lists are compared as wholes. */
export function differences(first: unknown, second: unknown, pointer = ""): Difference[] {
  if (JSON.stringify(first) === JSON.stringify(second)) return [];
  if (!isRecord(first) || !isRecord(second)) {
    return [
      {
        pointer,
        ...(first === undefined ? {} : { first }),
        ...(second === undefined ? {} : { second }),
      },
    ];
  }
  const keys = [...new Set([...Object.keys(first), ...Object.keys(second)])].sort();
  return keys.flatMap((key) =>
    differences(first[key], second[key], `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`),
  );
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
