import { headers, type MsgHdrs, NatsError, type StoredMsg } from "nats";
import { parseDeadSink, parseReportSubject, subjects } from "../../../streams/subjects.ts";
import type { Who } from "../../domain/task/taskState.ts";
import { isNoMessage } from "../ledger/appendEvent.ts";
import type { Nats } from "../nats/connectNats.ts";
import { type DeadLetter, type DeadSink, deadHeaders, headerText } from "./deadLetter.ts";

const STREAM = "DEADLETTERS";
/** Sequences looked at for one page: letters of other tenants are passed over. */
const LOOKED_AT_MAX = 5_000;

export interface DeadLetters {
  /** Oldest first, beginning after a place. `next`: where to go on, null at the end. */
  list(of: {
    readonly after: number;
    readonly max: number;
    readonly isFor: (letter: DeadLetter) => boolean;
  }): Promise<{ readonly letters: readonly DeadLetter[]; readonly next: number | null }>;
  find(seq: number): Promise<DeadLetter | null>;
  /** The newest letter of a sink. */
  findSink(of: Pick<DeadSink, "tenant" | "task" | "sink">): Promise<DeadLetter | null>;
  drop(seq: number): Promise<void>;
  /** Sends it on its way again. @returns false when it is gone by now */
  resend(letter: DeadLetter, who: Who): Promise<boolean>;
  /** Puts a failed sink there, once. `over`: the place of the letter that it takes the place of. */
  putSink(sink: DeadSink, over?: number): Promise<void>;
}

/** The stream of dead letters on the server. Every member throws what the server answers. */
export function deadLettersOnNats(nats: Pick<Nats, "js" | "jsm">): DeadLetters {
  const { js, jsm } = nats;

  async function next(seq: number): Promise<StoredMsg | null> {
    // The server has this query since 2.9; the client leaves it out of its types.
    const query = { seq, next_by_subj: ">" } as { seq: number };
    try {
      return await jsm.streams.getMessage(STREAM, query);
    } catch (error) {
      if (isNoMessage(error)) return null;
      throw error;
    }
  }

  async function drop(seq: number): Promise<void> {
    await jsm.streams.deleteMessage(STREAM, seq, false).catch((error: unknown) => {
      if (!isGone(error)) throw error;
    });
  }

  return {
    list: async ({ after, max, isFor }) => {
      const letters: DeadLetter[] = [];
      let seq = after;
      for (let looked = 0; looked < LOOKED_AT_MAX; looked++) {
        const message = await next(seq + 1);
        if (message === null) return { letters, next: null };
        const letter = letterOf(message);
        if (letter !== null && isFor(letter)) {
          if (letters.length === max) return { letters, next: seq };
          letters.push(letter);
        }
        ({ seq } = message);
      }
      return { letters, next: seq };
    },
    find: async (seq) => {
      const message = await next(seq);
      return message === null || message.seq !== seq ? null : letterOf(message);
    },
    findSink: async (of) => {
      try {
        return letterOf(await jsm.streams.getMessage(STREAM, { last_by_subj: subjects.deadSink(of) }));
      } catch (error) {
        if (isNoMessage(error)) return null;
        throw error;
      }
    },
    drop,
    resend: async (letter, who) => {
      if (letter.kind === "report") {
        const { node, task } = letter;
        if (node === null || task === null) return false;
        await js.publish(subjects.report({ node, task }), letter.bytes);
        await drop(letter.seq);
        return true;
      }
      const { tenant, task, sink } = letter;
      if (tenant === null || task === null || sink === null) return false;
      const head = reasonOf(letter.reason);
      head.set(deadHeaders.resend, JSON.stringify(who));
      const subject = subjects.deadSink({ tenant, task, sink });
      if (!(await putOver(subject, letter.bytes, head, letter.seq))) return false;
      await drop(letter.seq);
      return true;
    },
    putSink: async (sink, over = 0) => {
      const subject = subjects.deadSink(sink);
      await putOver(subject, Buffer.from(JSON.stringify(sink)), reasonOf(sink.message), over);
      if (over > 0) await drop(over);
    },
  };

  /** @returns false when the newest letter of the subject is another than the one it should take the place of */
  async function putOver(subject: string, bytes: Uint8Array, head: MsgHdrs, over: number): Promise<boolean> {
    try {
      await js.publish(subject, bytes, { headers: head, expect: { lastSubjectSequence: over } });
      return true;
    } catch (error) {
      if (error instanceof NatsError && (error.api_error?.code ?? 500) < 500) return false;
      throw error;
    }
  }
}

function letterOf(
  message: Pick<StoredMsg, "seq" | "subject" | "header" | "data" | "time">,
): DeadLetter | null {
  const of = (name: string) => message.header?.get(name) || null;
  const base = {
    seq: message.seq,
    at: message.time.getTime(),
    reason: of(deadHeaders.reason) ?? "",
    resending: of(deadHeaders.resend) !== null,
    bytes: message.data,
  };
  const sink = parseDeadSink(message.subject);
  if (sink !== null) return { ...base, kind: "sink", ...sink, node: null };
  if (message.subject !== subjects.deadLetter({ stream: "reports" })) return null;
  const from = parseReportSubject(of(deadHeaders.subject) ?? "");
  return {
    ...base,
    kind: "report",
    tenant: null,
    task: from?.task ?? null,
    sink: null,
    node: from?.node ?? null,
  };
}

function reasonOf(reason: string): MsgHdrs {
  const head = headers();
  head.set(deadHeaders.reason, headerText(reason));
  return head;
}

/** Somebody else has removed it. */
function isGone(error: unknown): boolean {
  return isNoMessage(error) || (error instanceof NatsError && error.api_error?.err_code === 10057);
}
