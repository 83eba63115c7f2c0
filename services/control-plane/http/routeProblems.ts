/** Codes that several routes share, for what the OpenAPI document says of them. */

export const ofLedger = ["LEDGER_UNAVAILABLE", "LEDGER_BUSY", "LEDGER_REGRESSED"];

export const ofTask = ["TASK_NOT_FOUND", "TASK_ERASED", "LEDGER_UNAVAILABLE"];

/** Reads of Postgres. */
export const ofReads = [
  "REQUEST_INVALID",
  "POSITION_INVALID",
  "POSITION_OF_OTHER_EPOCH",
  "NOT_REACHED_YET",
  "DATABASE_UNAVAILABLE",
];

export const ofLogs = ["REQUEST_INVALID", "LOGS_UNAVAILABLE", "OUTPUT_INCOMPLETE"];

export const ofBody = ["BODY_INVALID", "BODY_TOO_LARGE", "UNSUPPORTED_MEDIA_TYPE", "REQUEST_TIMED_OUT"];

export const ofCreating = [
  "IDEMPOTENCY_KEY_INVALID",
  "IDEMPOTENCY_KEY_REUSED",
  "TASK_ERASED",
  "PROJECTOR_DOWN",
  "STORAGE_FULL",
  "QUOTA_EXCEEDED",
  "DATABASE_UNAVAILABLE",
  "ACK_UNKNOWN",
  ...ofLedger,
];

export const ofSpec = [
  "SPEC_SYNTAX",
  "SPEC_DUPLICATE_KEY",
  "SPEC_ALIAS",
  "SPEC_MULTIPLE_DOCUMENTS",
  "SPEC_NUMBER",
  "SPEC_TOO_LARGE",
  "SPEC_TOO_DEEP",
  "SPEC_INVALID",
  "FIELD_NOT_AVAILABLE",
  "MOUNT_NOT_ALLOWED",
];
