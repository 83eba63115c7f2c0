/** A task's output as the task wrote it: stdout to stdout and stderr to stderr, the very bytes. */
import type { LogEntry } from "../../../schemas/api/logEntry.ts";
import type { Output } from "./output.ts";

/** The bytes that an entry stands for; none for a note that bytes were dropped. Pure. */
export function entryBytes(entry: LogEntry): Uint8Array {
  if (entry.type === "truncated") return new Uint8Array(0);
  const line =
    entry.base64 === undefined ? Buffer.from(entry.text, "utf8") : Buffer.from(entry.base64, "base64");
  return entry.ending === "newline" ? Buffer.concat([line, Buffer.of(0x0a)]) : line;
}

/** @throws ReaderGone when whoever read stdout has left */
export async function printEntry(output: Output, entry: LogEntry): Promise<void> {
  if (entry.type === "truncated") {
    await output.message(
      `${entry.dropped_bytes} bytes of ${entry.stream} were beyond max_output_bytes and were not kept`,
    );
    return;
  }
  const bytes = entryBytes(entry);
  if (entry.stream === "stdout") await output.data(bytes);
  else await output.errorBytes(bytes);
}
