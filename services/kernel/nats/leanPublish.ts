import {
  ErrorCode,
  type JetStreamClient,
  type JetStreamPublishOptions,
  type MsgHdrs,
  type NatsConnection,
  NatsError,
  type PubAck,
} from "nats";
import { HeaderLines } from "./headerLines.ts";

/** Publishes and waits for the server's acknowledgement; a JetStream client's `publish`. */
type PublishAcked = JetStreamClient["publish"];

/** A request as the client keeps it: found by its token, told of its answer, of a refusal, or of the connection's end. */
interface RequestInside {
  readonly token: string;
  readonly requestSubject: string;
  received: number;
  resolver(error: Error | null, message: { readonly data: Uint8Array }): void;
}

/** What the client does not show: a change there turns this off, it never breaks anything. */
interface ClientInside {
  readonly protocol?: {
    readonly muxSubscriptions?: { readonly baseInbox?: string; cancel?(request: { token: string }): void };
    request?(request: RequestInside): unknown;
  };
}

/** Requests that wait are looked through this often: one that is not answered ends late by as much at most. */
const SWEEP_MS = 200;
/** Of the client too, where neither a call nor the JetStream client says otherwise. */
const DEFAULT_TIMEOUT_MS = 5_000;

/**
 * The client's own `publish` with the same answers and the same errors, at some two thirds of its CPU. The client makes for each
 * message a map of headers, a timer, a race of promises and the error of its losing side; a task publishes 13. Here the
 * headers are text, all that waits shares one timer, and the answer settles the one promise there is. Answers come by
 * the client's own inbox, so a lost connection, a refused subject and a drain end a wait as they always do.
 * @param own what to publish with where the client has changed inside, and for options that are not known here
 */
export function leanPublish(connection: NatsConnection, own: PublishAcked): PublishAcked {
  const { protocol } = connection as unknown as ClientInside;
  const mux = protocol?.muxSubscriptions;
  const register = protocol?.request?.bind(protocol);
  if (!mux || typeof mux.cancel !== "function" || !register) return own;
  const waiting = new Deadlines();
  let last = 0;
  return (subject, data = NOTHING, options = {}) => {
    if ("retries" in options) return own(subject, data, options);
    return new Promise<PubAck>((resolve, reject) => {
      const token = `p${(++last).toString(36)}`;
      const end = (error: Error) => {
        mux.cancel?.({ token });
        waiting.delete(token);
        reject(error);
      };
      const request: RequestInside = {
        token,
        requestSubject: subject,
        received: 0,
        resolver: (error, message) => {
          if (error !== null) return end(error);
          try {
            const ack = ackOf(message.data);
            mux.cancel?.({ token });
            waiting.delete(token);
            resolve(ack);
          } catch (refused) {
            end(refused as Error);
          }
        },
      };
      try {
        register(request);
        const reply = `${mux.baseInbox}${token}`;
        const headers = linesOf(options) as unknown as MsgHdrs;
        connection.publish(subject, data, { reply, headers });
        waiting.add(token, options.timeout ?? DEFAULT_TIMEOUT_MS, end);
      } catch (error) {
        end(error as Error);
      }
    });
  };
}

const NOTHING = new Uint8Array(0);

interface Waiting {
  readonly until: number;
  readonly end: (error: Error) => void;
}

/** What waits for an answer, by token; one timer for all, and none while nothing waits. */
class Deadlines {
  readonly #waiting = new Map<string, Waiting>();
  #timer: NodeJS.Timeout | null = null;

  add(token: string, timeoutMs: number, end: (error: Error) => void): void {
    this.#waiting.set(token, { until: performance.now() + timeoutMs, end });
    this.#timer ??= setInterval(() => this.#sweep(), SWEEP_MS);
  }

  delete(token: string): void {
    this.#waiting.delete(token);
  }

  #sweep(): void {
    const now = performance.now();
    for (const { until, end } of this.#waiting.values())
      if (until <= now) end(NatsError.errorForCode(ErrorCode.Timeout));
    if (this.#waiting.size > 0 || this.#timer === null) return;
    clearInterval(this.#timer);
    this.#timer = null;
  }
}

/**
 * The server's answer: where the message is stored.
 * @throws NatsError why it is not
 */
function ackOf(data: Uint8Array): PubAck {
  const answer = JSON.parse(Buffer.from(data.buffer, data.byteOffset, data.byteLength).toString());
  if (answer.error !== undefined) throw refusal(answer.error);
  if (!answer.stream) throw NatsError.errorForCode(ErrorCode.JetStreamInvalidAck);
  answer.duplicate ??= false;
  return answer as PubAck;
}

/** As the client makes it of the server's. */
function refusal(from: NonNullable<NatsError["api_error"]>): NatsError {
  const error = new NatsError(from.description.toLowerCase(), String(from.code));
  error.api_error = from;
  return error;
}

/** @throws NatsError `BAD_HEADER` for a value that would end its line */
function linesOf({ expect, headers, msgID }: Partial<JetStreamPublishOptions>): HeaderLines {
  const lines = headers instanceof HeaderLines ? headers : new HeaderLines();
  if (headers && !(headers instanceof HeaderLines))
    for (const [name, values] of headers) for (const value of values) lines.set(name, value);
  if (msgID !== undefined) lines.set("Nats-Msg-Id", msgID);
  if (expect?.lastMsgID !== undefined) lines.set("Nats-Expected-Last-Msg-Id", expect.lastMsgID);
  if (expect?.streamName !== undefined) lines.set("Nats-Expected-Stream", expect.streamName);
  if (expect?.lastSequence !== undefined)
    lines.set("Nats-Expected-Last-Sequence", String(expect.lastSequence));
  if (expect?.lastSubjectSequence !== undefined)
    lines.set("Nats-Expected-Last-Subject-Sequence", String(expect.lastSubjectSequence));
  return lines;
}
