import type { Attempt } from "../../../schemas/api/attempt.ts";
import { type Column, table } from "./table.ts";

const columns: readonly Column<Attempt>[] = [
  { title: "ATTEMPT", cell: (one) => one.attempt },
  { title: "NODE", cell: (one) => one.node },
  { title: "ENDED BY", cell: (one) => one.ended_by },
  { title: "REASON", cell: (one) => one.reason },
  { title: "EXIT", cell: (one) => one.exit_code ?? (one.signal === null ? null : `signal ${one.signal}`) },
  { title: "STARTED", cell: (one) => one.started_at },
  { title: "FINISHED", cell: (one) => one.finished_at },
  { title: "STDOUT", cell: (one) => one.logs?.stdout.stored ?? null },
  { title: "STDERR", cell: (one) => one.logs?.stderr.stored ?? null },
];

/** A task's attempts for people, where there is more to say of them than the task says itself; else nothing. Pure. */
export function attemptsText(attempts: readonly Attempt[]): string {
  if (attempts.length < 2) return "";
  const before = attempts[0]!.attempt - 1;
  const left =
    before === 0 ? "" : `${before} earlier ${before === 1 ? "attempt" : "attempts"} before these\n`;
  return `\n${left}${table(columns, attempts)}`;
}
