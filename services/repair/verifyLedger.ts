import { decodeTaskEvent } from "../../schemas/taskEvents.ts";
import { ledgerStream } from "../../streams/streams.ts";
import { subjects } from "../../streams/subjects.ts";
import type { Clock } from "../kernel/clock.ts";
import { Retryable } from "../kernel/errors.ts";
import type { Nats } from "../kernel/nats/connectNats.ts";
import type { DatabasePool } from "../kernel/postgres/openPool.ts";
import {
  compareHistories,
  type Difference,
  type DifferenceKind,
  type HeldEvent,
} from "./compareHistories.ts";
import { recordCheck } from "./ledgerChecks.ts";
import { toldDifferencesMax } from "./limits.ts";
import { type Copy, type CopyEnd, findCopyEnd, isStillCopied, readCopy } from "./readCopy.ts";
import { hasMessage, lookAtStream, readStream, type StreamLook } from "./readStream.ts";
import { damageFound } from "./standingRefusal.ts";

export interface RepairPorts {
  readonly nats: Nats;
  readonly pool: DatabasePool;
  readonly shard: number;
  readonly clock: Clock;
}

/** One difference, for a person and for the record. */
export interface ToldDifference {
  readonly kind: DifferenceKind;
  readonly seq: number;
  readonly subject: string;
  /** Id of the event in the copy and in the ledger, where there is one. */
  readonly copied: string | null;
  readonly found: string | null;
}

/** The ledger beside its copy. */
export interface Survey {
  /** Null when nothing was ever projected. */
  readonly copy: CopyEnd | null;
  readonly stream: StreamLook | null;
  readonly events: number;
  readonly same: number;
  readonly beyond: number;
  readonly missing: number;
  /** Of the missing ones, those before the ledger's end. */
  readonly holes: number;
  readonly altered: number;
  readonly replaced: number;
  readonly uncopied: number;
  readonly replacedFrom: number | null;
  /** In the copy, not in the ledger, and rightly so: their task was erased. */
  readonly erased: number;
  readonly first: readonly ToldDifference[];
}

/** What only the ledger holds, in order, as it is found. */
export type OnSurvivor = (event: HeldEvent & { readonly eventId: string | null }) => void | Promise<void>;

/**
 * Compares the whole ledger with its copy, both in order and in bounded memory. It may run beside everything: the copy's
 * end is read first, and what was copied was in the ledger before.
 * @throws Retryable `DATABASE_UNAVAILABLE`, `LEDGER_UNAVAILABLE`
 */
export async function surveyLedger(
  { nats, pool, shard }: Omit<RepairPorts, "clock">,
  onSurvivor: OnSurvivor = () => undefined,
): Promise<Survey> {
  const stream = ledgerStream(shard);
  const copy = await findCopyEnd(pool, shard);
  const look = await lookAtStream(nats, stream);
  const end = copy?.end ?? 0;
  const lastSeq = look?.lastSeq ?? 0;
  const counts = { missing: 0, holes: 0, altered: 0, replaced: 0, uncopied: 0, erased: 0 };
  const first: ToldDifference[] = [];
  let replacedFrom: number | null = null;
  const differ = async (difference: Difference) => {
    const { kind, seq, ledger } = difference;
    if (kind === "missing") {
      const { erasedLater, eventId } = difference.copy as Copy;
      // A few that are surely missing say enough; until then each is looked for again.
      const sure = counts.missing >= toldDifferencesMax;
      if (erasedLater || (!sure && !(await isStillCopied(pool, eventId)))) {
        counts.erased++;
        return;
      }
      if (seq <= lastSeq && ++counts.holes <= toldDifferencesMax) await confirmHole(nats, stream, seq);
    }
    counts[kind]++;
    if (kind === "replaced") replacedFrom ??= seq;
    if (ledger !== null && kind !== "altered")
      await onSurvivor({ ...ledger, eventId: eventIdOf(ledger.bytes) });
    if (first.length < toldDifferencesMax) first.push(told(difference));
  };
  const compared = await compareHistories(
    {
      copy: readCopy(pool, { shard, after: 0, end }),
      ledger: readStream(nats, { stream, after: 0, end: lastSeq }),
      copyEnd: end,
      eventIdOf,
    },
    differ,
    (event) => onSurvivor({ ...event, eventId: eventIdOf(event.bytes) }),
  );
  const { copies: events, same, beyond } = compared;
  return { copy, stream: look, events, same, beyond, ...counts, replacedFrom, first };
}

/** True when the ledger holds all that was copied. */
export function isWhole(survey: Survey): boolean {
  const { copy, stream, missing, altered, replaced } = survey;
  if (copy === null || copy.end === 0) return true;
  if (stream === null || stream.epoch !== copy.epoch || stream.lastSeq < copy.end) return false;
  return missing + altered + replaced === 0;
}

/** Surveys the ledger, and records the answer where the guard and `doctor` look; damage shuts every gate. */
export async function verifyLedger(ports: RepairPorts): Promise<Survey> {
  const { nats, shard } = ports;
  const survey = await surveyLedger(ports);
  if (survey.copy !== null) await recordCheck(ports.pool, shard, survey, ports.clock.now());
  if (damageFound(survey) !== null) nats.connection.publish(subjects.gateNotice({ shard }));
  return survey;
}

/** A reader that was interrupted must never look like a ledger with holes. */
async function confirmHole(nats: Nats, stream: string, seq: number): Promise<void> {
  if (!(await hasMessage(nats, stream, seq))) return;
  throw new Retryable(
    "LEDGER_UNAVAILABLE",
    `the ledger could not be read in one go: sequence ${seq} was left out`,
    {
      hint: "Try again.",
    },
  );
}

export function eventIdOf(bytes: Uint8Array): string | null {
  try {
    return decodeTaskEvent(bytes).id;
  } catch {
    return null;
  }
}

export function told({ kind, seq, copy, ledger }: Difference): ToldDifference {
  return {
    kind,
    seq,
    subject: (copy ?? ledger)!.subject,
    copied: copy?.eventId ?? null,
    found: ledger === null ? null : eventIdOf(ledger.bytes),
  };
}
