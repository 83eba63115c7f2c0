import { createWriteStream } from "node:fs";
import { type DestinationStream, pino, type StreamEntry } from "pino";
import { CaziError } from "./errors.ts";

/** Structured log. Messages are for operators; what a task prints is never in here. */
export type Log = pino.Logger;

/** A logger that writes JSON lines to standard error, so that standard output stays data. */
export function createLog(level: string, name: string): Log {
  return pino(options(level, name), pino.destination({ fd: 2, sync: false }));
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
  const lines: DestinationStream = createWriteStream(file.path, { flags: "a", mode: 0o600 });
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
  return pino(options(level, name), pino.multistream(streams));
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
