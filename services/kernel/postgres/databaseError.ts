import { CaziError, Retryable } from "../errors.ts";

/** Errors of the socket and of name resolution, as Node names them. */
const SOCKET_CODES: ReadonlySet<string> = new Set([
  "ECONNREFUSED",
  "ECONNRESET",
  "ENOENT",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "EHOSTUNREACH",
  "ENETUNREACH",
]);

/** What `pg` says without a code when a connection is gone or never came. */
const CONNECTION_LOST =
  /^(Connection terminated|timeout exceeded when trying to connect|Query read timeout|Client has encountered a connection error|Client was closed|Cannot use a pool after)/;

/**
 * SQLSTATEs that say "not now" and nothing about the statement: connection trouble (08), shutdown and crash
 * recovery (57P), no slot or no disk (53), the embedded server's longest turn (25P04), and the losers of a
 * deadlock or a serialization failure (40).
 */
const UNAVAILABLE_STATES = /^(08...|57P0[1-5]|53...|25P04|40001|40P01)$/;

/** SQLSTATE of a database error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}

/** True when the same statement may succeed later as it stands. */
export function isUnavailable(error: unknown): boolean {
  if (error instanceof Retryable) return true;
  const { code, message } = (error ?? {}) as { code?: unknown; message?: unknown };
  const state = sqlState(error);
  if (state !== undefined && UNAVAILABLE_STATES.test(state)) return true;
  if (typeof code === "string" && SOCKET_CODES.has(code)) return true;
  return typeof message === "string" && CONNECTION_LOST.test(message);
}

/** The error as this project throws it: `DATABASE_UNAVAILABLE` when the database is away, else unchanged. */
export function asDatabaseError(error: unknown): unknown {
  if (error instanceof CaziError || !isUnavailable(error)) return error;
  return new Retryable("DATABASE_UNAVAILABLE", "the database does not answer", {
    hint: "It is retried; `cazi doctor` says what is wrong with Postgres.",
    cause: error,
  });
}
