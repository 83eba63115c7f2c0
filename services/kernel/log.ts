import { pino } from "pino";

/** Structured log. Messages are for operators; what a task prints is never in here. */
export type Log = pino.Logger;

/** A logger that writes JSON lines to standard error, so that standard output stays data. */
export function createLog(level: string, name: string): Log {
  return pino(
    { name, level, base: { role: name }, serializers: { error: pino.stdSerializers.err } },
    pino.destination({ fd: 2, sync: false }),
  );
}
