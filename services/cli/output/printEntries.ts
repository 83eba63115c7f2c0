/** A task's output as the task wrote it: stdout to stdout and stderr to stderr, the very bytes. */
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { Output } from "./output.ts";

/** The bytes that an entry stands for; none for a note on bytes that are not there. Pure. */
export function entryBytes(entry: LogEntry): Uint8Array {
  if (entry.type !== "line") return new Uint8Array(0);
  const line =
    entry.base64 === undefined ? Buffer.from(entry.text, "utf8") : Buffer.from(entry.base64, "base64");
  return entry.ending === "newline" ? Buffer.concat([line, Buffer.of(0x0a)]) : line;
}

/**
 * Prints entries in their order. What follows each other in one stream is one write: a write a line takes seconds
 * where the lines take milliseconds.
 * @throws ReaderGone when whoever read stdout has left
 */
export async function printEntries(output: Output, entries: readonly LogEntry[]): Promise<void> {
  for (const run of runsOf(entries)) {
    const [first] = run;
    if (first!.type !== "line") {
      const { dropped_bytes, stream } = first!;
      await output.message(`${dropped_bytes} bytes of ${stream} ${whyAbsent[first!.type]}`);
      continue;
    }
    const bytes = Buffer.concat(run.map(entryBytes));
    if (first!.stream === "stdout") await output.data(bytes);
    else await output.errorBytes(bytes);
  }
}

const whyAbsent = {
  truncated: "were not kept: beyond max_output_bytes, or there was no room",
  gap: "are missing here: they were kept, and are not in the store",
} as const;

/** Neighbours of one stream together; a note on what is missing stands alone. Pure. */
function runsOf(entries: readonly LogEntry[]): readonly (readonly LogEntry[])[] {
  const runs: LogEntry[][] = [];
  for (const entry of entries) {
    const last = runs.at(-1)?.at(-1);
    const joins = last?.stream === entry.stream && last.type === "line" && entry.type === "line";
    if (joins) runs.at(-1)!.push(entry);
    else runs.push([entry]);
  }
  return runs;
}
