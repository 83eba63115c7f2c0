import { ErrorCode, NatsError, type ServerInfo } from "nats";
import { CaziError, Rejection, Retryable } from "../errors.ts";

/** Nobody answered, or not in time: a server that starts, elects a leader, or is gone. */
const PASSING: ReadonlySet<string> = new Set([
  ErrorCode.NoResponders,
  ErrorCode.Timeout,
  ErrorCode.Disconnect,
  ErrorCode.ConnectionRefused,
  ErrorCode.ConnectionTimeout,
  ErrorCode.JetStreamNotEnabled,
  ErrorCode.Cancelled,
]);
const REFUSED: ReadonlySet<string> = new Set([
  ErrorCode.PermissionsViolation,
  ErrorCode.AuthorizationViolation,
  ErrorCode.AccountExpired,
  ErrorCode.AuthenticationExpired,
]);

/** Wrong last sequence: 10071, and 10164 from newer servers. */
const CONFLICT_CODES: ReadonlySet<number> = new Set([10071, 10164]);

const NO_ROOM = {
  code: "NATS_NO_ROOM",
  says: "the NATS server has not the room for a stream that Cazi needs",
  hint: "Raise max_file_store or max_memory_store of the NATS server, or give its disk more room.",
};
const WITHOUT_JETSTREAM = {
  code: "NATS_WITHOUT_JETSTREAM",
  says: "the NATS server has JetStream off, for all or for this account",
  hint: "Turn JetStream on in the configuration of the server and of the account of NATS_CREDS.",
};

/**
 * What a server says of a lasting state of its own, by `err_code` and, where that is not enough, by its words. Provoked on
 * 2.9.10, 2.10.27 and 2.15.1, which answer alike (`natsError.int.test.ts`); 10023 and 10076 are of nats-server's
 * `server/errors.json` alone: a cluster says 10005 of a disk too small, and a server without JetStream says nothing.
 */
const LASTING: readonly {
  errCodes: readonly number[];
  words?: RegExp;
  code: string;
  says: string;
  hint: string;
}[] = [
  {
    // In a cluster the leader looks for servers with room, and says of both that it finds none.
    errCodes: [10005],
    words: /insufficient (storage|memory)/,
    ...NO_ROOM,
  },
  {
    errCodes: [10005, 10074],
    code: "NATS_TOO_FEW_SERVERS",
    says: "fewer NATS servers are there than each stream is to have copies",
    hint: "Start the missing NATS servers, or set the replicas to the number of servers.",
  },
  { errCodes: [10023, 10028, 10047], ...NO_ROOM },
  { errCodes: [10039, 10076], ...WITHOUT_JETSTREAM },
  {
    errCodes: [10065],
    code: "NATS_SUBJECTS_TAKEN",
    says: "another stream of the NATS account has subjects that a stream of Cazi needs",
    hint: "Give Cazi a NATS account of its own, or remove that stream.",
  },
];

/** True when a write expected another last message than there is: somebody was faster. */
export function isWrongSequence(error: unknown): boolean {
  return error instanceof NatsError && CONFLICT_CODES.has(error.api_error?.err_code ?? 0);
}

/** True when the server answers and says that these credentials may not. */
export function isRefusedByNats(error: unknown): boolean {
  return error instanceof NatsError && REFUSED.has(error.code);
}

/**
 * An error of the NATS client as this project throws it: `NATS_UNAVAILABLE` when the same may be asked again,
 * `NATS_TOO_FEW_SERVERS`, `NATS_NO_ROOM`, `NATS_WITHOUT_JETSTREAM`, `NATS_SUBJECTS_TAKEN` when it passes once an operator has acted,
 * `NATS_REFUSED` when the server does not let us; else unchanged. The client's own message may be as short as "503".
 * @param server what the server said of itself as it was connected to: one without JetStream answers a question of
 *   streams like one that has no leader, with silence
 */
export function asNatsError(error: unknown, server?: Pick<ServerInfo, "jetstream">): unknown {
  if (error instanceof CaziError || !(error instanceof NatsError)) return error;
  if (isRefusedByNats(error)) return refusedByNats(error);
  const lasting = lastingOf(error, server);
  if (lasting !== undefined) {
    const { code, says, hint } = lasting;
    return new Retryable(code, `${says}: ${error.message}`, { cause: error, hint });
  }
  const unanswered = PASSING.has(error.code) || (error.api_error?.code ?? 0) >= 500;
  if (!unanswered) return error;
  return new Retryable("NATS_UNAVAILABLE", "the NATS server does not answer for its streams", {
    cause: error,
    hint: "Is JetStream on in the server of NATS_URL, and has it a leader? It is asked again.",
  });
}

function lastingOf(error: NatsError, server?: Pick<ServerInfo, "jetstream">) {
  const { err_code, description = "" } = error.api_error ?? {};
  if (err_code === undefined) {
    const isOff = error.code === ErrorCode.NoResponders && server !== undefined && !server.jetstream;
    return isOff ? WITHOUT_JETSTREAM : undefined;
  }
  return LASTING.find(
    ({ errCodes, words }) => errCodes.includes(err_code) && (words?.test(description) ?? true),
  );
}

/** The server's refusal, with its own words and what to do. */
export function refusedByNats(cause: unknown): Rejection {
  const words = cause instanceof Error ? cause.message.replace(/^'|'$/g, "") : String(cause);
  return new Rejection("NATS_REFUSED", `the NATS server refuses these credentials: ${words}`, {
    cause,
    hint: "Set NATS_CREDS to credentials of Cazi's services; a subscriber's can read the feed and nothing else.",
  });
}
