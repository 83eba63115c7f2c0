import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import type { HeldEvent } from "./compareHistories.ts";
import { type CopyEnd, readCopy } from "./readCopy.ts";
import { type Repair, readSurvivors } from "./repairStore.ts";

type Batches = AsyncGenerator<readonly HeldEvent[]>;

/** What of the copy belongs into the ledger, in order. What was erased stays erased. */
export async function* copyToWrite(
  pool: DatabasePool,
  of: { readonly shard: number; readonly after: number; readonly end: number },
): Batches {
  for await (const batch of readCopy(pool, of)) yield batch.filter((one) => !one.erasedLater);
}

/** The whole history of a ledger that is made anew: the copy, what only the ledger had, and what comes after both. */
export async function* historyToWrite(pool: DatabasePool, repair: Repair, copy: CopyEnd): Batches {
  const copies = copyToWrite(pool, { shard: repair.shard, after: 0, end: copy.end });
  let last = copy.end;
  for await (const batch of inOrder(copies, readSurvivors(pool, repair, ["keep"]))) {
    last = Math.max(last, batch.at(-1)?.seq ?? 0);
    yield batch;
  }
  for await (const batch of readSurvivors(pool, repair, ["append"])) {
    yield batch.map((one) => ({ ...one, seq: ++last }));
  }
}

/** Two histories with no sequence in common as one. */
export async function* inOrder(a: Batches, b: Batches): Batches {
  let [left, right] = [await nextOf(a), await nextOf(b)];
  while (left !== null && right !== null) {
    // All of one side that comes before the rest of the other.
    const [first, second] = left[0]!.seq < right[0]!.seq ? [left, right] : [right, left];
    const cut = first.findIndex((one) => one.seq > second[0]!.seq);
    const part = cut < 0 ? first : first.slice(0, cut);
    yield part;
    const rest = first.slice(part.length);
    if (first === left) left = rest.length > 0 ? rest : await nextOf(a);
    else right = rest.length > 0 ? rest : await nextOf(b);
  }
  for (let rest = left; rest !== null; rest = await nextOf(a)) yield rest;
  for (let rest = right; rest !== null; rest = await nextOf(b)) yield rest;
}

async function nextOf(batches: Batches): Promise<readonly HeldEvent[] | null> {
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return null;
    if (value.length > 0) return value;
  }
}
