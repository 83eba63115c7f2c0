/**
 * The three families of failure, chosen where the error is thrown, because the family decides what the
 * consumer does next: answer or acknowledge (`Rejection`), try again later (`Retryable`), or put the message
 * aside for a person (`Poison`). A broken invariant is none of them: it crashes the process.
 */

/** One thing wrong with an input; `pointer` is a JSON Pointer (RFC 6901) into it. */
export interface ErrorDetail {
  readonly pointer: string;
  readonly message: string;
}

export interface CaziErrorOptions {
  /** What the caller should do next, as a sentence. */
  readonly hint?: string;
  readonly details?: readonly ErrorDetail[];
  /** Structured facts for the log and the problem document; never a secret. */
  readonly fields?: Readonly<Record<string, string | number | boolean | null>>;
  readonly cause?: unknown;
}

/** Base of every failure that a user can cause or meet. `message` is public: it may be shown to the caller. */
export abstract class CaziError extends Error {
  abstract readonly family: "rejection" | "retryable" | "poison";
  readonly code: string;
  readonly hint: string | undefined;
  readonly details: readonly ErrorDetail[];
  readonly fields: Readonly<Record<string, string | number | boolean | null>>;

  constructor(code: string, message: string, options: CaziErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = new.target.name;
    this.code = code;
    this.hint = options.hint;
    this.details = options.details ?? [];
    this.fields = options.fields ?? {};
  }
}

/** The request was understood and the answer is no. Repeating it changes nothing. */
export class Rejection extends CaziError {
  readonly family = "rejection";
}

/** It did not happen, or nobody knows yet; the same request may be repeated. */
export class Retryable extends CaziError {
  readonly family = "retryable";
}

/** A stored message that can never be handled; it is put aside where an operator sees it. */
export class Poison extends CaziError {
  readonly family = "poison";
}

/** A bug: something that this code itself guarantees does not hold. */
export class InvariantViolation extends Error {
  override readonly name = "InvariantViolation";
}

/** Throws {@link InvariantViolation} unless `condition` holds. One condition a call. */
export function invariant(condition: unknown, message: string): asserts condition {
  if (!condition) throw new InvariantViolation(message);
}
