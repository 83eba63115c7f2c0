import { streamConfig } from "../../streams/ensure.ts";
import { ledgerStream, streams } from "../../streams/streams.ts";
import { subjects } from "../../streams/subjects.ts";
import { invariant } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { restartErasure } from "../kernel/ledger/erasurePlace.ts";
import { fillStream, removeGaps } from "./fillStream.ts";
import { copyToWrite, historyToWrite } from "./historyToWrite.ts";
import { gatesCloseMs, readEventsMax } from "./limits.ts";
import { planRepair, type RepairPlan } from "./planRepair.ts";
import { type CopyEnd, findCopyEnd } from "./readCopy.ts";
import { lookAtStream } from "./readStream.ts";
import {
  adoptEpoch,
  beginFilling,
  beginRepair,
  beginSaving,
  copyOfSurvivors,
  findUnfinished,
  finishRepair,
  listEpochLinks,
  listSurvivors,
  noteEpoch,
  type Repair,
  saveSurvivors,
  setFates,
} from "./repairStore.ts";
import { survivorFates } from "./survivorFates.ts";
import {
  type OnSurvivor,
  type RepairPorts,
  type Survey,
  surveyLedger,
  verifyLedger,
} from "./verifyLedger.ts";

export interface Repairing extends RepairPorts {
  /** Throws when this process may no longer repair: another one holds the lease. */
  readonly mayGoOn: () => void;
  /** Tells a person what is done now. */
  readonly tell: (text: string) => void;
  readonly pause: (ms: number) => Promise<void>;
}

export interface Repaired {
  readonly plan: RepairPlan["kind"];
  /** Events appended to the ledger. */
  readonly appended: number;
  /** True when processes that followed the stream of before have to be started anew. */
  readonly restart: boolean;
  /** The ledger as it is now. */
  readonly survey: Survey;
}

/** What a repair would do, and why. Changes nothing. */
export async function planOf(
  ports: Omit<RepairPorts, "clock">,
): Promise<{ plan: RepairPlan; survey: Survey }> {
  const survey = await surveyLedger(ports);
  const copy = survey.copy ?? { epoch: survey.stream?.epoch ?? "", end: 0 };
  return { survey, plan: planRepair({ ...survey, copy }) };
}

/**
 * Makes the ledger whole from its copy. May be killed after any step and be run again:
 *
 * 1. A row in `ledger_repairs` keeps every gate closed; those that were open are told, and look at it.
 * 2. `append`: what is missing at the end is appended in place.
 *    `rebuild`: the stream is sealed, what only it holds is saved, and it is made anew and filled from its beginning.
 * 3. Copy and checkpoint take the stream's epoch; the links between epochs are published for the relay.
 * 4. All is compared again, and the row is closed.
 * @throws Retryable `REPAIR_INTERRUPTED`, `DATABASE_UNAVAILABLE`: run it again
 */
export async function repairLedger(ports: Repairing): Promise<Repaired> {
  const { pool, shard, clock, tell } = ports;
  const unfinished = await findUnfinished(pool, shard);
  if (unfinished !== null) tell(`a repair that was begun is finished: ${unfinished.id}`);
  if (unfinished?.phase === "linking") return await finish(ports, unfinished, 0, true);
  if (unfinished?.phase === "filling" && unfinished.plan === "rebuild") {
    await closeGates(ports);
    return await rebuild(ports, unfinished);
  }
  let { plan, survey } = await planOf(ports);
  if (plan.kind === "nothing" && unfinished === null) {
    return { plan: "nothing", appended: 0, restart: false, survey: await verifyLedger(ports) };
  }
  tell(plan.why);
  const copy = survey.copy;
  invariant(copy !== null, "only what was copied can be repaired");
  const repair =
    unfinished ??
    (await beginRepair(pool, {
      id: newId(clock.now()),
      shard,
      plan: plan.kind === "rebuild" ? "rebuild" : "append",
      epoch: copy.epoch,
      at: clock.now(),
    }));
  await closeGates(ports);
  if (survey.stream === null) {
    await makeStream(ports, 1);
    // Files that were still there come back with it.
    ({ plan, survey } = await planOf(ports));
  }
  if (plan.kind === "rebuild") {
    await save(ports, repair);
    return await rebuild(ports, repair);
  }
  return await appendEnd(ports, repair, copy);
}

async function closeGates({ nats, shard, pause }: Repairing): Promise<void> {
  nats.connection.publish(subjects.gateNotice({ shard }));
  await nats.connection.flush();
  await pause(gatesCloseMs);
}

/** In place: what is there already is passed over, so that a killed one goes on where it ended. */
async function appendEnd(ports: Repairing, repair: Repair, copy: CopyEnd): Promise<Repaired> {
  const { nats, pool, shard } = ports;
  const stream = ledgerStream(shard);
  await beginFilling(pool, repair, "append");
  const look = (await lookAtStream(nats, stream))!;
  await noteEpoch(pool, repair, look.epoch);
  const events = copyToWrite(pool, { shard, after: look.lastSeq, end: copy.end });
  const appended = await fillStream(nats, events, { lastSeq: look.lastSeq, end: copy.end }, ports.mayGoOn);
  await removeGaps(nats, stream);
  await adoptEpoch(pool, repair, look.epoch);
  return await finish(ports, repair, appended, false);
}

/** Everything that only the stream holds goes to Postgres, and nobody can append meanwhile. INV-NOTHING-OVERWRITTEN */
async function save(ports: Repairing, repair: Repair): Promise<void> {
  const { nats, pool, shard, tell } = ports;
  await beginSaving(pool, repair);
  await nats.jsm.streams.update(ledgerStream(shard), { subjects: [subjects.sealedLedger({ shard })] });
  let held: Parameters<OnSurvivor>[0][] = [];
  const store = async () => {
    ports.mayGoOn();
    await saveSurvivors(pool, repair, held);
    held = [];
  };
  const survey = await surveyLedger(ports, async (event) => {
    held.push(event);
    if (held.length >= readEventsMax) await store();
  });
  await store();
  const { replacedFrom } = survey;
  const survivors = await listSurvivors(pool, repair);
  const copy = await copyOfSurvivors(pool, repair, replacedFrom);
  await setFates(pool, repair, survivorFates(survivors, { ...copy, replacedFrom }));
  if (survivors.length > 0) tell(`saved ${survivors.length} events that only the ledger has`);
  await beginFilling(pool, repair, "rebuild");
}

async function rebuild(ports: Repairing, repair: Repair): Promise<Repaired> {
  const { nats, pool, shard, tell } = ports;
  const stream = ledgerStream(shard);
  const copy = (await findCopyEnd(pool, shard))!;
  const replicas = await removeStream(ports);
  const epoch = await makeStream(ports, replicas);
  await noteEpoch(pool, repair, epoch);
  tell(`the stream is made anew at ${epoch} and filled up to sequence ${copy.end}`);
  const events = historyToWrite(pool, repair, copy);
  const appended = await fillStream(nats, events, { lastSeq: 0, end: copy.end }, ports.mayGoOn);
  await removeGaps(nats, stream);
  await adoptEpoch(pool, repair, epoch);
  return await finish(ports, repair, appended, true);
}

/** @returns its replicas, to be made anew with as many; 1 when it was gone already */
async function removeStream({ nats, shard }: Repairing): Promise<number> {
  const stream = ledgerStream(shard);
  if ((await lookAtStream(nats, stream)) === null) return 1;
  const { config } = await nats.jsm.streams.info(stream);
  await nats.jsm.streams.delete(stream);
  return config.num_replicas;
}

/** @returns the epoch; a process that started meanwhile may have been faster, with the same declaration */
async function makeStream({ nats, shard }: Repairing, replicas: number): Promise<string> {
  const stream = ledgerStream(shard);
  const spec = streams.find(({ name }) => name === stream)!;
  await nats.jsm.streams.add(streamConfig(spec, replicas));
  return (await lookAtStream(nats, stream))!.epoch;
}

async function finish(
  ports: Repairing,
  repair: Repair,
  appended: number,
  rebuilt: boolean,
): Promise<Repaired> {
  const { nats, pool, shard, clock } = ports;
  const links = await listEpochLinks(pool, shard);
  if (links.length > 0) {
    await (await nats.js.views.kv("cursors")).put(`epochs.${shard}`, JSON.stringify(links));
  }
  await restartErasure(await nats.js.views.kv("cursors"), shard);
  const survey = await verifyLedger(ports);
  await finishRepair(pool, repair, clock.now());
  // Those that can go on look again now instead of at their next append.
  nats.connection.publish(subjects.gateNotice({ shard }));
  await nats.connection.flush();
  return { plan: repair.plan, appended, restart: rebuilt, survey };
}
