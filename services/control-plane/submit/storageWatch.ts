import { statfs } from "node:fs/promises";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { storageCheckMs } from "../limits.ts";
import { whatIsFull } from "./storageRoom.ts";

export interface StorageWatch {
  /** Why nothing more may be stored, as a sentence; null while there is room, and while nobody can tell. */
  full(): string | null;
  stop(): void;
}

/** Without room in these nothing new can take its way to the end. */
const WATCHED = [ledgerStream(DEFAULT_SHARD), "CLAIMS", "REPORTS", "LOGS"];

/** Looks at the disk under `home` and at the streams every few seconds. */
export function watchStorage(ports: {
  readonly nats: Nats;
  readonly log: Log;
  readonly home: string;
}): StorageWatch {
  const { nats, log, home } = ports;
  let full: string | null = null;

  async function sizeOf(name: string) {
    const { state, config } = await nats.jsm.streams.info(name);
    return { name, bytes: state.bytes, maxBytes: config.max_bytes };
  }

  async function look(): Promise<void> {
    const [disk, ...streams] = await Promise.all([
      // A home that is not there holds no state: then NATS and Postgres are somebody else's, with disks of theirs.
      statfs(home).then(
        (found) => ({
          usedBytes: (found.blocks - found.bfree) * found.bsize,
          freeBytes: found.bavail * found.bsize,
        }),
        () => null,
      ),
      // A server whose disk is full does not answer: then the disk alone has to say it.
      ...WATCHED.map((name) => sizeOf(name).catch(() => null)),
    ]);
    const now = whatIsFull({ disk, streams: streams.filter((stream) => stream !== null) });
    if (now !== null && full === null) log.error({ reason: now }, "new tasks are refused: there is no room");
    if (now === null && full !== null) log.warn("there is room again: new tasks are taken");
    full = now;
  }

  const again = () =>
    void look().catch((error: unknown) => log.debug({ error }, "how full the storage is cannot be seen"));
  again();
  const timer = setInterval(again, storageCheckMs);
  return { full: () => full, stop: () => clearInterval(timer) };
}
