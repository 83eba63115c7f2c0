/**
 * A place in a task's output: everything before these offsets of this attempt's streams has been read. Written
 * `attempt.stdoutOffset.stderrOffset`. The record that bytes were dropped counts as one byte after the last one,
 * so that it too is read once.
 */
export interface LogPosition {
  readonly attempt: number;
  readonly stdout: number;
  readonly stderr: number;
}

/** Before the first attempt. */
export const logStart: LogPosition = { attempt: 0, stdout: 0, stderr: 0 };

export function formatPosition(position: LogPosition): string {
  return `${position.attempt}.${position.stdout}.${position.stderr}`;
}

/** The position in `text`, or null when it is not one. */
export function parsePosition(text: string): LogPosition | null {
  const found = /^(\d{1,9})\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  if (found === null) return null;
  return { attempt: Number(found[1]), stdout: Number(found[2]), stderr: Number(found[3]) };
}
