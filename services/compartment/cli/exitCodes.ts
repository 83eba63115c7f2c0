/** The one table from failure to exit code. A code that is not here is a failure of the run: 70. */

export const EXIT = {
  usage: 64,
  badData: 65,
  noInput: 66,
  failed: 70,
  io: 74,
  notNow: 75,
  policy: 76,
  unsupported: 78,
} as const;

const exitOf: Readonly<Record<string, number>> = {
  USAGE: EXIT.usage,
  TOOL_UNKNOWN: EXIT.usage,
  SECRET_UNSET: EXIT.usage,
  SECRET_TOO_SHORT: EXIT.usage,
  INTEGRITY_MALFORMED: EXIT.badData,
  INTEGRITY_MISMATCH: EXIT.badData,
  PACKAGE_REFUSED: EXIT.badData,
  MODULE_NAME_REFUSED: EXIT.badData,
  POLICY_INVALID: EXIT.badData,
  AUDIT_LOG_REFUSED: EXIT.badData,
  AUDIT_LOG_INCOMPLETE: EXIT.badData,
  AUDIT_HEAD_DIFFERS: EXIT.badData,
  BUNDLE_REFUSED: EXIT.badData,
  FIXTURE_REFUSED: EXIT.badData,
  SCHEMA_REFUSED: EXIT.badData,
  SESSION_UNREADABLE: EXIT.badData,
  PROJECT_EXISTS: EXIT.io,
  FILE_EXISTS: EXIT.io,
  FILE_UNWRITABLE: EXIT.io,
  FILE_UNUSABLE: EXIT.io,
  APPROVAL_LOG_REFUSED: EXIT.badData,
  JOB_EXISTS: EXIT.badData,
  JOB_PINS_CHANGED: EXIT.badData,
  JOB_UNREADABLE: EXIT.badData,
  JOURNAL_REFUSED: EXIT.badData,
  INPUT_NOT_JSON: EXIT.badData,
  JOB_NOT_FOUND: EXIT.noInput,
  INPUT_UNREADABLE: EXIT.noInput,
  INPUT_TOO_LARGE: EXIT.noInput,
  INPUT_NOT_UTF8: EXIT.noInput,
  AUDIT_LOG_IN_USE: EXIT.io,
  AUDIT_LOG_UNWRITABLE: EXIT.io,
  APPROVAL_LOG_LOCKED: EXIT.notNow,
  JOB_BUSY: EXIT.notNow,
  JOB_NOT_TICKABLE: EXIT.notNow,
  INPUT_NOT_AWAITED: EXIT.policy,
  CALL_NOT_UNKNOWN: EXIT.policy,
  CONTROL_UNSUPPORTED: EXIT.unsupported,
};

export function exitCodeOf(code: string): number {
  return exitOf[code] ?? EXIT.failed;
}
