/** Whether there is room for new tasks. Pure. */

/** Above this share new tasks are refused, so that what runs can still end and be recorded. */
const FULL_SHARE = 0.85;
/** A large disk at 85 % has room for days; only a disk that is short of both counts as full. */
const DISK_FREE_BYTES_MIN = 5 * 1024 ** 3;

export interface Room {
  /** The disk that holds the state. */
  readonly disk: { readonly usedBytes: number; readonly freeBytes: number } | null;
  readonly streams: readonly { readonly name: string; readonly bytes: number; readonly maxBytes: number }[];
}

/** What is full, as a sentence, or null. */
export function whatIsFull({ disk, streams }: Room): string | null {
  const stream = streams.find(({ bytes, maxBytes }) => maxBytes > 0 && bytes >= maxBytes * FULL_SHARE);
  if (stream) return `stream ${stream.name} holds ${percent(stream.bytes, stream.maxBytes)} % of what it may`;
  if (disk === null) return null;
  const total = disk.usedBytes + disk.freeBytes;
  const full = disk.usedBytes >= total * FULL_SHARE && disk.freeBytes < DISK_FREE_BYTES_MIN;
  return full ? `the disk is ${percent(disk.usedBytes, total)} % full` : null;
}

function percent(part: number, whole: number): number {
  return Math.floor((100 * part) / whole);
}
