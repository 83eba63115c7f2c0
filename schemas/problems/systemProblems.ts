/** What the API stands on and may miss (503: the same request may succeed later), and what must never happen. */
import type { ProblemList } from "./problemEntry.ts";

export const systemProblems = {
  SINK_CA_INVALID: {
    status: 500,
    means: "The file that CAZI_SINK_CA names is not there, or holds no certificates.",
    todo: "Give a PEM file with the certificates of the authorities that sign the targets' certificates.",
  },
  DEAD_LETTER_NOT_FOUND: {
    status: 404,
    means: "There is no dead letter of this id, or it is not for the caller.",
    todo: "`cazi dead list` shows those that there are; one that was sent again in vain has another id.",
  },
  DEAD_LETTERS_UNAVAILABLE: {
    status: 503,
    means: "The dead letters cannot be read or changed now: NATS does not answer.",
    todo: "Send the request again.",
  },
  PROJECTOR_DOWN: {
    status: 503,
    means: "Nothing was submitted: the read models are too far behind, or nobody keeps them.",
    todo: "Wait, then send the request again. For operators: `/readyz` and the projector's log say what it waits for.",
  },
  STORAGE_FULL: {
    status: 503,
    means:
      "Nothing was submitted: the disk or a stream is nearly full. What runs still ends and is recorded.",
    todo: "Make room, or raise the limit, then send the request again.",
  },
  DATABASE_UNAVAILABLE: {
    status: 503,
    means: "Postgres does not answer. Running tasks go on; reads and submits wait for it.",
    todo: "Wait, then send the request again. For operators: look at the server of DATABASE_URL.",
  },
  LEDGER_UNAVAILABLE: {
    status: 503,
    means: "The ledger could not be read or written in time. A change may or may not have been stored.",
    todo: "Send the same request again, a creating one with the same Idempotency-Key.",
  },
  LEDGER_BUSY: {
    status: 503,
    means: "The task kept changing while a change was decided.",
    todo: "Send the request again.",
  },
  LEDGER_REGRESSED: {
    status: 503,
    means:
      "The ledger has lost events that were recorded before. Nothing is written to it until a person has decided.",
    todo: "Delete nothing. Run `cazi ledger verify`, then `cazi ledger repair`: docs/runbooks/ledger-repair.md.",
  },
  LOGS_UNAVAILABLE: {
    status: 503,
    means: "The store of outputs did not answer in time.",
    todo: "Send the request again; a follower goes on after the last position that it saw.",
  },
  NATS_UNAVAILABLE: {
    status: 503,
    means: "There is no connection to NATS.",
    todo: "Wait: it is tried again for ever. For operators: look at the server of NATS_URL.",
  },
  NATS_TOO_FEW_SERVERS: {
    status: 503,
    means: "Fewer NATS servers are there than each stream is to have copies.",
    todo: "For operators: start the missing NATS servers, or set the replicas to the number of servers.",
  },
  NATS_NO_ROOM: {
    status: 503,
    means: "The NATS server has not the room for a stream that Cazi needs.",
    todo: "For operators: raise max_file_store or max_memory_store of the server, or give its disk more room.",
  },
  NATS_WITHOUT_JETSTREAM: {
    status: 503,
    means: "The NATS server has JetStream off, for all or for this account.",
    todo: "For operators: turn JetStream on for the server and for the account of NATS_CREDS.",
  },
  NATS_SUBJECTS_TAKEN: {
    status: 503,
    means: "Another stream of the NATS account has subjects that a stream of Cazi needs.",
    todo: "For operators: give Cazi a NATS account of its own, or remove that stream.",
  },
  NATS_REFUSED: {
    status: 500,
    means: "The NATS server answers, and does not let Cazi's credentials do what they must.",
    todo: "For operators: set NATS_CREDS to credentials of Cazi's services.",
  },
  NATS_CREDS_UNREADABLE: {
    status: 500,
    means: "The file of NATS_CREDS cannot be read, or holds no NATS credentials.",
    todo: "For operators: correct NATS_CREDS, or unset it where the server asks for none.",
  },
  NATS_TLS_FAILED: {
    status: 500,
    means: "The encryption of the connection to NATS does not come about, and it is not tried without.",
    todo: "For operators: set NATS_CA to the certificate that signed the server's; the address must be one that it names.",
  },
  ACK_UNKNOWN: {
    status: 503,
    means: "The task is in the ledger, but Postgres did not confirm it in time. It may run.",
    todo: "Send the same request again with the `idempotency_key` of the answer, or look for the task by `task_id`.",
  },
  NOT_REACHED_YET: {
    status: 503,
    means: "The read models did not reach the position of `min_seq` within the wait.",
    todo: "Send the request again. When it lasts, `/readyz` says how far behind the projector is.",
  },
  EVENT_UNDECODABLE: {
    status: 500,
    means: "A stored event cannot be decoded.",
    todo: "For operators: the log names the event. Nothing is skipped; a newer version may be needed to read it.",
  },
  EVENT_UNKNOWN: {
    status: 500,
    means: "A stored event is of a kind that this version does not know: a newer one wrote it.",
    todo: "For operators: upgrade this process; readers are upgraded before writers.",
  },
  INTERNAL: {
    status: 500,
    means: "Something went wrong in the server that must not. The cause is in its log and in no answer.",
    todo: "Give whoever runs the server the `correlation_id` of the answer: it finds the cause in the log.",
  },
} as const satisfies ProblemList;
