import { createHash } from "node:crypto";
import { formatApiPosition, parseApiPosition } from "../../../schemas/api/position.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { minSeqWaitMs } from "../limits.ts";
import type { ApiPorts } from "../ports.ts";
import { positionOfTag, tagsOf } from "./etag.ts";

/** The ledger's places as the API gives and takes them. */
export interface ApiPositions {
  /** Of the event at a sequence. */
  of(seq: number): string;
  /**
   * Waits, without asking again and again, until the read models have reached a position that a caller gave.
   * @throws Rejection `POSITION_INVALID`, `POSITION_OF_OTHER_EPOCH`; Retryable `NOT_REACHED_YET` after
   *   {@link minSeqWaitMs} or when the server ends
   */
  waitFor(minSeq: string | undefined, gone: AbortSignal): Promise<void>;
  /**
   * The sequence that a header `If-Match` asks for; null where any is right. A header that names no version of
   * this ledger, or more than one, matches nothing.
   */
  ifMatch(header: string | undefined): number | null;
}

/** No event has it. */
const NO_SEQ = -1;

export function apiPositions(ports: Pick<ApiPorts, "checkpoints" | "epoch" | "stopping">): ApiPositions {
  const epoch = createHash("sha256").update(ports.epoch).digest("hex").slice(0, 16);

  return {
    of: (seq) => formatApiPosition({ epoch, seq }),
    waitFor: async (minSeq, gone) => {
      if (minSeq === undefined) return;
      const wanted = parseApiPosition(minSeq);
      if (wanted === null) throw invalid();
      if (wanted.epoch !== epoch) throw ofOtherEpoch();
      const ended = new AbortController();
      const given = await Promise.race([
        ports.checkpoints.reached(wanted.seq, minSeqWaitMs),
        aborted(AbortSignal.any([ports.stopping, gone, ended.signal])),
      ]);
      ended.abort();
      if (!given) throw notReached();
    },
    ifMatch: (header) => {
      if (header === undefined || header.trim() === "*") return null;
      const [tag, ...more] = tagsOf(header);
      const position = tag === undefined || more.length > 0 ? null : positionOfTag(tag);
      const place = position === null ? null : parseApiPosition(position);
      return place?.epoch === epoch ? place.seq : NO_SEQ;
    },
  };
}

/** Resolves to false when the signal is aborted. */
function aborted(signal: AbortSignal): Promise<false> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve(false);
    else signal.addEventListener("abort", () => resolve(false), { once: true });
  });
}

function invalid(): Rejection {
  return new Rejection("POSITION_INVALID", "min_seq is not a position that this server gave.", {
    hint: "Send what the header Cazi-Position of an answer held, as it is.",
  });
}

function ofOtherEpoch(): Rejection {
  return new Rejection("POSITION_OF_OTHER_EPOCH", "min_seq is a position of another ledger than this one.", {
    hint: "Forget it: read without min_seq, and go on with positions of new answers.",
  });
}

function notReached(): Retryable {
  return new Retryable("NOT_REACHED_YET", "The read models have not reached min_seq yet.", {
    hint: "Send the request again; /readyz says how far behind they are.",
  });
}
