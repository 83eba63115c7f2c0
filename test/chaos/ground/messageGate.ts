/**
 * A way from clients to a NATS server on which messages come late, overtake each other and come twice, once that is
 * asked for. Each `PUB` or `HPUB` of a client is a message: claims, grant requests and their answers, beats, reports,
 * appends, acknowledgements. What else a client says passes at once.
 */
import { connect, createServer, type Socket } from "node:net";

export interface Disturbance {
  /** Each message is held back up to so long. */
  readonly lateMs: number;
  /** A copy of some comes up to so long after it was sent. */
  readonly copyLateMs: number;
  /** Share of messages that come twice. */
  readonly doubled: number;
  readonly random: () => number;
}

export interface MessageGate {
  /** Takes the place of the server's address. */
  readonly url: string;
  /** Null: everything passes as it comes. */
  disturb(how: Disturbance | null): void;
  /** From now on messages of these subjects stand before the server. @returns how many do, and what lets the next `count`, or all and what follows them, through at once */
  hold(subjects: RegExp): { held(): number; release(count?: number): void };
  /** Since the last {@link disturb} that was not null. */
  counts(): { readonly doubled: number; readonly overtaken: number };
  close(): void;
}

/** The feed's order is its writer's alone to keep: it sends the next before the last was answered, on one connection. */
const IN_ORDER = /^events\./;

export async function openMessageGate(serverUrl: string): Promise<MessageGate> {
  const { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let how: Disturbance | null = null;
  let sent = 0;
  let newest = 0;
  const counts = { doubled: 0, overtaken: 0 };
  let held: { readonly subjects: RegExp; readonly frames: (() => void)[] } | null = null;

  function pass(far: Socket, frame: Buffer, subject: string): void {
    if (held?.subjects.test(subject)) return void held.frames.push(() => far.write(frame));
    if (how === null || IN_ORDER.test(subject)) return void far.write(frame);
    const { lateMs, copyLateMs, doubled, random } = how;
    const number = ++sent;
    setTimeout(() => {
      if (number < newest) counts.overtaken++;
      newest = Math.max(newest, number);
      far.write(frame);
    }, random() * lateMs);
    if (random() >= doubled) return;
    counts.doubled++;
    setTimeout(() => far.write(frame), random() * copyLateMs);
  }

  const server = createServer((near) => {
    const far = connect({ host: hostname, port: Number(port), noDelay: true });
    near.setNoDelay(true);
    const split = splitFrames((frame, subject) =>
      subject === null ? far.write(frame) : pass(far, frame, subject),
    );
    near.on("data", split);
    far.on("data", (data) => near.write(data));
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      // What is still held back for a connection that is over is lost, as it is on a network.
      one.on("error", () => undefined);
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
    }
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port: own } = server.address() as { port: number };
  return {
    url: `nats://127.0.0.1:${own}`,
    disturb: (wanted) => {
      if (wanted !== null) Object.assign(counts, { doubled: 0, overtaken: 0 });
      how = wanted;
    },
    hold: (subjects) => {
      const frames: (() => void)[] = [];
      held = { subjects, frames };
      return {
        held: () => frames.length,
        release: (count) => {
          if (count === undefined) held = null;
          for (const send of frames.splice(0, count ?? frames.length)) send();
        },
      };
    },
    counts: () => ({ ...counts }),
    close: () => {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** @param onFrame one whole piece of the protocol, with its subject where it is a message */
function splitFrames(onFrame: (frame: Buffer, subject: string | null) => void) {
  let gathered: Buffer = Buffer.alloc(0);
  return (data: Buffer) => {
    gathered = gathered.length === 0 ? data : Buffer.concat([gathered, data]);
    for (;;) {
      const end = gathered.indexOf("\r\n");
      if (end < 0) return;
      const words = gathered.toString("latin1", 0, end).split(" ");
      const isMessage = words[0] === "PUB" || words[0] === "HPUB";
      const length = end + 2 + (isMessage ? Number(words.at(-1)) + 2 : 0);
      if (gathered.length < length) return;
      onFrame(gathered.subarray(0, length), isMessage ? words[1]! : null);
      gathered = gathered.subarray(length);
    }
  };
}
