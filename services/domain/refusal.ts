/**
 * The domain's way of saying no: a value, never an exception. Shells turn it into an error with the same code.
 */
export interface Refusal {
  readonly refused: true;
  /** Stable; never renamed once shipped. */
  readonly code: string;
  /** One sentence for the caller. */
  readonly message: string;
  /** What to do next. */
  readonly hint?: string;
  /** Each thing wrong, with a JSON Pointer (RFC 6901) into the input. */
  readonly details?: readonly { readonly pointer: string; readonly message: string }[];
}

/** Makes a {@link Refusal}. */
export function refuse(code: string, message: string, more: Pick<Refusal, "hint" | "details"> = {}): Refusal {
  return { refused: true, code, message, ...more };
}

/** True when `value` is a {@link Refusal}. */
export function isRefusal(value: unknown): value is Refusal {
  return typeof value === "object" && value !== null && (value as Refusal).refused === true;
}
