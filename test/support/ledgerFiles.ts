/** Damage to the files that a NATS server keeps the ledger in, as disks and people do it. */
import {
  closeSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { DEFAULT_SHARD, ledgerStream } from "../../streams/streams.ts";

/** The folder of the ledger's stream under a server's data. */
export function ledgerFolder(data: string): string {
  const streams = join(data, "jetstream");
  for (const name of readdirSync(streams)) {
    const folder = join(streams, name, "streams", ledgerStream(DEFAULT_SHARD));
    if (exists(folder)) return folder;
  }
  throw new Error(`no ledger under ${streams}`);
}

/** The files that hold messages, in order. */
export function ledgerBlocks(data: string): readonly string[] {
  const folder = join(ledgerFolder(data), "msgs");
  const names = readdirSync(folder).filter((name) => name.endsWith(".blk"));
  return names
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10))
    .map((name) => join(folder, name));
}

/** Changes one bit in the middle of a file. */
export function flipBit(file: string): void {
  flipBitAt(file, Math.floor(statSync(file).size / 2));
}

/** Changes a bit of a record's length, after a share of the file: what follows it cannot be read. */
export function flipLengthBit(file: string, share: number): void {
  const bytes = readFileSync(file);
  let record = 0;
  // A record begins with its length; the highest bit says that the message has headers.
  while (record < bytes.length * share) record += bytes.readUInt32LE(record) & 0x7fffffff;
  flipBitAt(file, record + 3);
}

function flipBitAt(file: string, at: number): void {
  const handle = openSync(file, "r+");
  const byte = Buffer.alloc(1);
  readSync(handle, byte, 0, 1, at);
  byte[0]! ^= 1;
  writeSync(handle, byte, 0, 1, at);
  closeSync(handle);
}

/** Cuts the second half of a file off. */
export function cutInHalf(file: string): void {
  truncateSync(file, Math.floor(statSync(file).size / 2));
}

export function removeLedger(data: string): void {
  rmSync(ledgerFolder(data), { recursive: true });
}

function exists(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
