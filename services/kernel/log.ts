import { basename } from "node:path";
import { type DestinationStream, pino, type StreamEntry } from "pino";
import { CaziError } from "./errors.ts";
import { LogLines } from "./logLines.ts";

/** Structured log. Messages are for operators; what a task prints is never in here. */
export type Log = pino.Logger;

/** How soon a person is told again that a log cannot be written. */
const TELL_AGAIN_MS = 600_000;

/** A logger that writes JSON lines to standard error, so that standard output stays data. */
export function createLog(level: string, name: string): Log {
  const lines = new LogLines(
    { fd: 2 },
    {
      // There is no other place to say it.
      failed: () => undefined,
      again: (dropped) => sayDropped(log, dropped),
    },
  );
  const log = pino(options(level, name), lines);
  return log;
}

/**
 * A logger that writes JSON lines to a file, and tells a person what is in error, one sentence each.
 * @param tell takes one plain sentence
 */
export function createFileLog(
  level: string,
  name: string,
  file: { path: string; tell: (text: string) => void },
): Log {
  const its = basename(file.path);
  let toldAtMs = Number.NEGATIVE_INFINITY;
  let isTold = false;
  const lines = new LogLines(file, {
    failed: ({ message }) => {
      // A disk that is just full takes a line now and then.
      isTold = performance.now() - toldAtMs > TELL_AGAIN_MS;
      if (!isTold) return;
      toldAtMs = performance.now();
      file.tell(`${its} cannot be written: ${message}; make room`);
    },
    again: (dropped) => {
      if (isTold || dropped > 0) file.tell(`${its} is written again; lines that were dropped: ${dropped}`);
      isTold = false;
      sayDropped(log, dropped);
    },
  });
  const told: DestinationStream = {
    write: (line) => {
      const { msg, reason, error } = JSON.parse(line) as {
        msg: string;
        reason?: string;
        error?: { message?: string };
      };
      const why = reason ?? error?.message;
      file.tell(why === undefined ? msg : `${msg}: ${why}`);
    },
  };
  const streams = [
    { level, stream: lines },
    { level: "error", stream: told },
  ] as StreamEntry[];
  const log = pino(options(level, name), pino.multistream(streams));
  return log;
}

function sayDropped(log: Log, dropped: number): void {
  if (dropped > 0) log.warn({ dropped }, "lines of this log were dropped while it could not be written");
}

function options(level: string, name: string): pino.LoggerOptions {
  return { name, level, base: { role: name }, serializers: { error: briefly } };
}

/**
 * What is expected to happen (a server that is away, a refused request) is told without its stack: a screen full
 * of stacks reads as a crash. A bug keeps it.
 */
function briefly(error: unknown): unknown {
  if (error instanceof CaziError) {
    const cause = error.cause instanceof Error ? error.cause.message : undefined;
    return {
      code: error.code,
      message: error.message,
      ...error.fields,
      ...(cause === undefined ? {} : { cause }),
    };
  }
  if (error instanceof Error && error.name === "NatsError")
    return { code: (error as { code?: string }).code, message: error.message };
  return error instanceof Error ? pino.stdSerializers.err(error) : error;
}
