/** What must hold after any fault, read past the API: from the ledger, the engine and Postgres themselves. */
import { isDeepStrictEqual } from "node:util";
import { evolve } from "../../../services/domain/task/evolve.ts";
import { absentTask, type TaskState } from "../../../services/domain/task/taskState.ts";
import type { StoredEvent } from "../../../services/kernel/ledger/storedEvent.ts";
import { bySubject, endsIn, readLedger } from "../../support/homeLedger.ts";
import { foldedRows, storedRows } from "../../support/readModels.ts";
import { waitFor } from "../../support/waitFor.ts";
import type { FaultDone, FaultOutcome } from "../fault.ts";
import type { ChaosGround } from "./chaosGround.ts";

/** An orphan is what is left this long after the last task ended. */
const orphanMs = 60_000;

/**
 * @param done what was made to happen at once
 * @returns the outcome of each; what cannot be told apart is in the first
 */
export async function checkOutcomes(
  ground: ChaosGround,
  done: readonly FaultDone[],
): Promise<readonly FaultOutcome[]> {
  const ids = done.flatMap((one) => one.ids);
  for (const id of ids) ground.acknowledged.add(id);
  const histories = await whenAllEnded(ground, ids);
  const [left, wrongOnes] = await Promise.all([orphans(ground, histories), wrongRows(ground)]);
  const found = {
    strangers: [...histories.keys()].filter((id) => !ground.acknowledged.has(id)).length,
    illegal: [...histories.values()].filter((history) => !isLegal(history)).length,
    orphans: left,
    wrongRows: wrongOnes,
  };
  return done.map((one, index) => outcomeOf(one, histories, index === 0 ? found : nothing));
}

const nothing = { strangers: 0, illegal: 0, orphans: 0, wrongRows: 0 };

function outcomeOf(
  { ids, faults, longestGapMs, misread = null, cut = null, repairs = null }: FaultDone,
  histories: ReadonlyMap<string, readonly StoredEvent[]>,
  { strangers, ...found }: typeof nothing,
): FaultOutcome {
  const of = (id: string) => histories.get(id) ?? [];
  const counts = ids.map((id) => endsIn(of(id)));
  return {
    faults,
    longestGapMs,
    misread,
    cut,
    repairs,
    acknowledged: new Set(ids).size,
    lost: ids.filter((id) => of(id).length === 0).length,
    stuck: ids.filter((id, index) => of(id).length > 0 && counts[index] === 0).length,
    doubled: counts.filter((count) => count > 1).length + strangers,
    ...found,
  };
}

async function whenAllEnded(ground: ChaosGround, ids: readonly string[]) {
  let read: readonly StoredEvent[] = [];
  let histories = new Map<string, readonly StoredEvent[]>();
  await waitFor(
    "every task to end",
    async () => {
      const now = await readLedger(ground.nats, read);
      if (now.length === read.length) return false;
      read = now;
      histories = new Map(
        [...bySubject(read)].map(([subject, events]) => [subject.split(".").at(-1)!, events]),
      );
      return ids.every((id) => endsIn(histories.get(id) ?? []) > 0);
    },
    { deadlineMs: ground.times.endMs, pollMs: 500 },
  ).catch(() => null);
  return histories;
}

/** INV-LEGAL and fences: each event follows from those before it, and carries the state that it leads to. */
function isLegal(history: readonly StoredEvent[]): boolean {
  let state: TaskState = absentTask;
  for (const { event } of history) {
    const { body } = event;
    const fence = "fence" in body ? body.fence : null;
    const isOfAttempt = body.type !== "scheduled" && fence !== null;
    if (isOfAttempt && "fence" in state && state.fence !== fence) return false;
    try {
      state = evolve(state, body, event.at);
    } catch {
      return false;
    }
  }
  return true;
}

async function orphans(
  ground: ChaosGround,
  histories: ReadonlyMap<string, readonly StoredEvent[]>,
): Promise<number> {
  const left = async () =>
    (await ground.fleet.containers.list()).filter(
      ({ Labels }) => endsIn(histories.get(Labels["cazi.task"] ?? "") ?? []) > 0,
    ).length;
  await waitFor("no container of an ended task to be left", async () => (await left()) === 0, {
    deadlineMs: orphanMs,
    pollMs: 500,
  }).catch(() => null);
  return left();
}

async function wrongRows(ground: ChaosGround): Promise<number> {
  const expected = foldedRows(await readLedger(ground.nats));
  const wrong = async () => {
    const stored = new Map((await storedRows(ground.postgres.url)).map((row) => [row.id, row]));
    return expected.filter((row) => !isDeepStrictEqual(row, stored.get(row.id))).length;
  };
  await waitFor("the read models to catch up", async () => (await wrong()) === 0, {
    deadlineMs: 30_000,
    pollMs: 250,
  }).catch(() => null);
  return wrong();
}
