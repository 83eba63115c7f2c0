/**
 * The HTTP status of every problem that has a code. The only place that knows both; a test finds every code that
 * is thrown and not in here. Codes are never renamed once shipped.
 *
 * What a caller may not know of is 404, what it may not do is 403, a bug is 500, a dependency that is away 503.
 */
export const problemStatus: Readonly<Record<string, number>> = {
  // The request itself.
  REQUEST_INVALID: 400,
  BODY_INVALID: 400,
  BODY_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  IDEMPOTENCY_KEY_INVALID: 400,
  CURSOR_INVALID: 400,
  NAME_INVALID: 400,
  UNAUTHENTICATED: 401,
  HOST_NOT_ALLOWED: 403,
  NOT_FOUND: 404,

  // The spec: 400 where it cannot be read, 422 where it was read and is not accepted.
  SPEC_SYNTAX: 400,
  SPEC_DUPLICATE_KEY: 400,
  SPEC_ALIAS: 400,
  SPEC_MULTIPLE_DOCUMENTS: 400,
  SPEC_NUMBER: 400,
  SPEC_TOO_LARGE: 413,
  SPEC_TOO_DEEP: 422,
  SPEC_INVALID: 422,
  FIELD_NOT_AVAILABLE: 422,
  MOUNT_NOT_ALLOWED: 422,
  JSON_NOT_CANONICAL: 422,
  MEMORY_SIZE_INVALID: 422,
  IMAGE_REFERENCE_INVALID: 422,

  // The task.
  TASK_NOT_FOUND: 404,
  TASK_ERASED: 410,
  TASK_ENDED: 409,
  TASK_EXISTS: 409,
  TASK_NOT_ENDED: 409,
  TASK_NOT_PENDING: 409,
  STALE_FENCE: 409,
  STATE_BEHIND: 503,
  IDEMPOTENCY_KEY_REUSED: 422,

  // What the API stands on.
  PROJECTOR_DOWN: 503,
  STORAGE_FULL: 503,
  DATABASE_UNAVAILABLE: 503,
  LEDGER_UNAVAILABLE: 503,
  LEDGER_BUSY: 503,
  LEDGER_REGRESSED: 503,
  LOGS_UNAVAILABLE: 503,
  NATS_UNAVAILABLE: 503,
  ACK_UNKNOWN: 503,

  // Stored things that cannot be what they are: for operators.
  EVENT_UNDECODABLE: 500,
  EVENT_UNKNOWN: 500,
  OUTPUT_INCOMPLETE: 500,
  INTERNAL: 500,
};
