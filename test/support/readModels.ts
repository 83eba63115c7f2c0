/** What the read models of a database should be by the ledger, and what they are. */
import { noTimes, timesAfter } from "../../services/domain/task/attempts.ts";
import { evolve } from "../../services/domain/task/evolve.ts";
import { absentTask, type CarriedTask, type TaskState } from "../../services/domain/task/taskState.ts";
import type { StoredEvent } from "../../services/kernel/ledger/storedEvent.ts";
import { type DatabasePool, openPool } from "../../services/kernel/postgres/openPool.ts";
import { asOwner } from "../../services/kernel/postgres/transaction.ts";
import { tableHashes } from "../../services/projector/tableHashes.ts";
import { taskIntentRow, taskStateRow } from "../../services/projector/taskRow.ts";
import { bySubject } from "./homeLedger.ts";
import { silentLog } from "./ledgerOnNats.ts";

export type TaskRows = readonly Readonly<Record<string, unknown>>[];

/**
 * One row a task, each made by folding its events one by one; an event whose carried state is not what the fold
 * gives is an error.
 */
export function foldedRows(events: readonly StoredEvent[]): TaskRows {
  const rows = [...bySubject(events).values()].map((history) => {
    let state: TaskState = absentTask;
    let times = noTimes;
    for (const { event } of history) {
      times = timesAfter(times, event.body, event.at);
      state = evolve(state, event.body, event.at);
      const [folded, carried] = [JSON.stringify(sorted(state)), JSON.stringify(sorted(event.state))];
      if (folded !== carried) throw new Error(`event ${event.id} carries ${carried}, the fold is ${folded}`);
    }
    const [first, last] = [history[0]!, history.at(-1)!];
    const { body, at, tenant, task } = first.event;
    if (body.type !== "submitted") throw new Error(`${first.subject} begins with ${body.type}`);
    const row = {
      ...taskIntentRow(body, at),
      ...taskStateRow({ tenant, id: task, seq: last.seq }, state as CarriedTask, times),
    };
    return {
      ...row,
      who: parsed(row.who),
      labels: parsed(row.labels),
      cancel: parsed(row.cancel),
      pull: parsed(row.pull),
    };
  });
  return rows.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function parsed(json: string | null): unknown {
  return json === null ? null : JSON.parse(json);
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(sorted);
  const entries = Object.entries(value).map(([key, inner]) => [key, sorted(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

async function withPool<T>(url: string, use: (pool: DatabasePool) => Promise<T>): Promise<T> {
  const pool = openPool({ url, size: 1, log: silentLog });
  try {
    return await use(pool);
  } finally {
    await pool.end();
  }
}

/** The rows of `tasks`, by id. */
export function storedRows(url: string): Promise<TaskRows> {
  return withPool(url, (pool) =>
    asOwner(pool, async (client) => {
      const { rows } = await client.query<Record<string, unknown>>("SELECT * FROM tasks ORDER BY id");
      return rows;
    }),
  );
}

/** How many events the copy found to break a rule. */
export function conflicts(url: string): Promise<number> {
  return withPool(url, (pool) =>
    asOwner(pool, async (client) => {
      const { rows } = await client.query<{ count: number }>(
        "SELECT count(*)::int AS count FROM ledger_conflicts",
      );
      return rows[0]!.count;
    }),
  );
}

export function hashesOf(url: string) {
  return withPool(url, tableHashes);
}
