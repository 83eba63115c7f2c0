import type { GuardReply } from "../../../schemas/messages/guard.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { Retryable } from "../../../services/kernel/errors.ts";
import { isNoMessage } from "../../../services/kernel/ledger/appendEvent.ts";
import { tellPlace } from "../../../services/kernel/ledger/readers.ts";
import type { DatabasePool } from "../../../services/kernel/postgres/openPool.ts";
import { answerGuard, type LedgerQuestions } from "../../../services/projector/regression.ts";
import { type Projector, startProjector } from "../../../services/projector/startProjector.ts";
import { standingRefusal } from "../../../services/repair/standingRefusal.ts";
import { watchLedger } from "../../../services/repair/watchLedger.ts";
import { ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Ground, RunningRole } from "./role.ts";

/** A projector that stopped over something a person must settle is tried again this often, in case they have. */
const RESTART_MS = 1_000;

/**
 * Projects while it holds the lease, and answers the regression guard of writers that have no Postgres.
 */
export function projectorRole(ground: Ground, pool: DatabasePool): RunningRole {
  const { nats, feed, clock, log, shard } = ground;
  const lease = ground.lease("projector");
  let projector: Projector | null = null;
  let failed: string | null = null;
  let ended = false;
  let wake: () => void = () => undefined;
  lease.onChange(() => wake());

  const publishNotice = (notice: object) => {
    if (nats.connected()) nats.connection.publish(subjects.checkpoint({ shard }), JSON.stringify(notice));
  };
  async function project(): Promise<void> {
    try {
      const guard = await guardReplyOf(pool, shard, ledgerQuestions(nats, shard));
      if (guard.answer === "regressed") throw new Retryable("LEDGER_REGRESSED", guard.reason);
      projector = await startProjector({ feed, pool, publishNotice, clock, log, lease });
      failed = null;
      await projector.stopped;
      failed = projector.health().message;
    } catch (error) {
      failed = (error as Error).message;
      log.warn({ error }, "the projector could not start; trying again");
    }
  }
  const running = (async () => {
    while (!ended) {
      if (lease.held()) await project();
      const pause = new Promise<void>((resolve) => {
        wake = resolve;
      });
      const timer = setTimeout(wake, RESTART_MS);
      if (!ended) await pause;
      clearTimeout(timer);
    }
  })();
  const stopGuard = answerGuards(ground, pool);
  const cursors = nats.js.views.kv("cursors");
  const position = () => (lease.held() ? (projector?.health().position ?? null) : null);
  const stopTelling = tellPlace({ cursors, shard, clock, log, position }, "projector");
  const onDamage = () => nats.connection.publish(subjects.gateNotice({ shard }));
  const watch = watchLedger({ nats, pool, shard, clock, log, mayLook: lease.held, onDamage });
  return {
    name: "projector",
    trouble: () => (lease.held() ? (failed ?? projector?.health().message ?? null) : null),
    stop: async () => {
      ended = true;
      wake();
      await stopTelling();
      await projector?.stop();
      await running;
      await watch.stop();
      await stopGuard();
      await lease.stop();
    },
  };
}

function answerGuards({ nats, shard, log }: Ground, pool: DatabasePool): () => Promise<void> {
  const subscription = nats.connection.subscribe(subjects.guard({ shard }), { queue: "guard" });
  void (async () => {
    for await (const message of subscription) {
      const reply = await guardReplyOf(pool, shard, ledgerQuestions(nats, shard)).catch(
        (error: Error): GuardReply => {
          log.warn({ error }, "nobody can tell yet whether the ledger is complete");
          return { answer: "unknown", reason: error.message };
        },
      );
      message.respond(JSON.stringify(reply));
    }
  })();
  return () => subscription.drain();
}

async function guardReplyOf(pool: DatabasePool, shard: number, ledger: LedgerQuestions): Promise<GuardReply> {
  const refusal = await standingRefusal(pool, shard);
  if (refusal !== null) return { answer: "regressed", reason: refusal };
  const answer = await answerGuard(pool, shard, ledger);
  return answer === "ok" ? { answer } : { answer: "regressed", reason: answer.regressed };
}

function ledgerQuestions(nats: Ground["nats"], shard: number): LedgerQuestions {
  const stream = ledgerStream(shard);
  return {
    epoch: async () => String((await nats.jsm.streams.info(stream)).created),
    lastSeq: async () => (await nats.jsm.streams.info(stream)).state.last_seq,
    eventIdAt: async (seq) => {
      try {
        return decodeTaskEvent((await nats.jsm.streams.getMessage(stream, { seq })).data).id;
      } catch (error) {
        if (isNoMessage(error)) return null;
        throw error;
      }
    },
  };
}
