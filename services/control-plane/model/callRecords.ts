/** What is kept of each call of a model: who, when, how much, and hashes; no word of what was asked or answered. */
import type { KV } from "nats";
import { Rejection } from "../../kernel/errors.ts";
import { isWrongSequence } from "../../kernel/nats/natsError.ts";
import type { Workload } from "../artifacts/publishArtifact.ts";

export interface ModelCallRecord {
  readonly at: number;
  readonly actor: string;
  readonly accountable: string | null;
  readonly endpoint: string;
  readonly model: string;
  readonly request_bytes: number;
  readonly request_sha256: string;
  /** Null while it goes on, and for good where the control plane died with it. */
  readonly outcome: ModelOutcome | null;
}

export interface ModelOutcome {
  readonly at: number;
  /** HTTP status; null where no whole answer came. */
  readonly status: number | null;
  readonly answer_bytes: number;
  readonly answer_sha256: string | null;
}

export interface CallKey extends Workload {
  readonly number: number;
}

export interface CallRecords {
  /**
   * INV-ASKED-ONCE: before the model is asked, and once for each number of an attempt, whichever replica is asked.
   * @returns how to keep what came of it
   * @throws Rejection `MODEL_OUTCOME_UNKNOWN` for a number that was used, `IDEMPOTENCY_KEY_REUSED` for one of another question
   */
  begin(
    of: CallKey,
    record: Omit<ModelCallRecord, "outcome">,
  ): Promise<(outcome: ModelOutcome) => Promise<void>>;
}

/** @param open the bucket `model_calls` */
export function callRecords(open: () => Promise<KV>): CallRecords {
  return {
    async begin(of, record) {
      const kv = await open();
      const key = `${of.tenant}.${of.task}.${of.attempt}.${of.number}`;
      const text = (outcome: ModelOutcome | null) => JSON.stringify({ ...record, outcome });
      let revision: number;
      try {
        revision = await kv.put(key, text(null), { previousSeq: 0 });
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
        const before = (await kv.get(key))?.json<ModelCallRecord>();
        throw before === undefined || before.request_sha256 === record.request_sha256
          ? outcomeUnknown()
          : new Rejection("IDEMPOTENCY_KEY_REUSED", "The number of this call was used for another question.");
      }
      return async (outcome) => void (await kv.put(key, text(outcome), { previousSeq: revision }));
    },
  };
}

function outcomeUnknown(): Rejection {
  return new Rejection(
    "MODEL_OUTCOME_UNKNOWN",
    "This call was begun before, and its answer is not there any more.",
  );
}
