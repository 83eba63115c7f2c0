import type { TaskLogsQuery } from "../../../schemas/api/logEntry.ts";
import { type ErrorDetail, Rejection } from "../../kernel/errors.ts";
import { type LogPosition, parsePosition } from "./logPosition.ts";
import type { Wanted } from "./sieve.ts";

/** What a request asks for: where reading begins, and which lines. */
export interface LogQuestion {
  readonly attempt: number | null;
  readonly stream: "stdout" | "stderr" | null;
  /** Null: from the start, from `wanted.sinceMs`, from `offset`, or the last ones. */
  readonly after: LogPosition | null;
  /** Of `stream`, in `attempt` or else in the last one. */
  readonly offset: number | null;
  readonly tail: number | null;
  readonly limit: number;
  readonly wanted: Wanted;
}

const UNIT_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
/** Each says where reading begins, so there is one at most. */
const beginnings = ["after", "offset", "tail", "since"] as const;

/**
 * Pure.
 * @param resumed where a follower was; it wins over all that says where to begin
 * @throws Rejection `REQUEST_INVALID` for parameters that do not go together
 */
export function logQuestion(
  query: TaskLogsQuery,
  nowMs: number,
  resumed: LogPosition | null = null,
): LogQuestion {
  const wrong = whatDoesNotFit(query, nowMs);
  if (wrong !== null) {
    throw new Rejection("REQUEST_INVALID", `The query is invalid: ${wrong.pointer} ${wrong.message}.`, {
      details: [wrong],
    });
  }
  const { attempt, stream, limit, since, until, grep } = query;
  const begins = resumed === null;
  return {
    attempt: attempt ?? null,
    stream: stream ?? null,
    after: resumed ?? (query.after === undefined ? null : parsePosition(query.after)),
    offset: begins ? (query.offset ?? null) : null,
    tail: begins ? (query.tail ?? null) : null,
    limit,
    wanted: {
      sinceMs: begins && since !== undefined ? timeOf(since, nowMs) : null,
      untilMs: until === undefined ? null : timeOf(until, nowMs),
      grep: grep ?? null,
      ignoreCase: query.ignore_case,
    },
  };
}

function whatDoesNotFit(query: TaskLogsQuery, nowMs: number): ErrorDetail | null {
  const { stream, offset, since, until, grep, tail } = query;
  const given = beginnings.filter((name) => query[name] !== undefined);
  const isTailSince = given.length === 2 && tail !== undefined && since !== undefined;
  if (given.length > 1 && !isTailSince) return apart(given[1]!, given[0]!);
  if (offset !== undefined && stream === undefined) {
    return { pointer: "/offset", message: "counts bytes of one stream: say which with stream" };
  }
  if (query.ignore_case && grep === undefined)
    return { pointer: "/ignore_case", message: "is for grep alone" };
  if (until === undefined) return null;
  if (tail !== undefined) return apart("until", "tail");
  if (query.follow) return apart("until", "follow");
  if (since !== undefined && timeOf(until, nowMs) <= timeOf(since, nowMs)) {
    return { pointer: "/until", message: "must be later than since" };
  }
  return null;
}

function apart(name: string, other: string): ErrorDetail {
  return { pointer: `/${name}`, message: `is not for use together with /${other}` };
}

/** A time of RFC 3339, or how long ago. */
function timeOf(text: string, nowMs: number): number {
  const ago = /^(\d+)([smhd])$/.exec(text);
  return ago === null ? Date.parse(text) : nowMs - Number(ago[1]) * UNIT_MS[ago[2]!]!;
}
