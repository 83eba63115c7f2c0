import { Rejection } from "../../kernel/errors.ts";

/** The last item's sort key as an opaque cursor: a page after it is found by the index, however deep. */
export function toCursor(first: string | number, second: string | number): string {
  return Buffer.from(JSON.stringify([first, second])).toString("base64url");
}

/**
 * The key in a cursor.
 * @param types what its two parts have to be
 * @throws Rejection `CURSOR_INVALID`
 */
export function fromCursor<A extends "string" | "number", B extends "string" | "number">(
  cursor: string,
  types: readonly [A, B],
): readonly [Part<A>, Part<B>] {
  const key = parsed(cursor);
  const right =
    Array.isArray(key) && key.length === 2 && key.every((part, index) => isPart(part, types[index]!));
  if (!right) throw cursorInvalid();
  return key as unknown as readonly [Part<A>, Part<B>];
}

/** Of any list: `CURSOR_INVALID`, with what to send instead. */
export function cursorInvalid(): Rejection {
  return new Rejection("CURSOR_INVALID", "The cursor is not one of this list.", {
    hint: "Leave the cursor out, or use the next_cursor of an earlier answer.",
  });
}

type Part<T> = T extends "number" ? number : string;

function isPart(part: unknown, type: "string" | "number"): boolean {
  // A NUL would be refused by the database instead of here.
  return type === "number" ? Number.isSafeInteger(part) : typeof part === "string" && !part.includes("\0");
}

function parsed(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return null;
  }
}
