import type { Task } from "../../../schemas/api/task.ts";

const kB = 1_000;
const MB = 1_000 * kB;

/** How far a pull is, as a clause: `pulling alpine:3.19, 12 of 30 MB, try 2`. Pure. */
export function pullText(pull: NonNullable<Task["pull"]>): string {
  const { ref, tries, bytes_done, bytes_total, last_error, retry_at, finished_at } = pull;
  const unit = bytes_total >= MB ? { bytes: MB, name: "MB" } : { bytes: kB, name: "kB" };
  const count = (bytes: number) => String(Math.ceil(bytes / unit.bytes));
  const again = tries === 1 ? "" : `, try ${tries}`;
  if (finished_at !== null) return `pulled ${ref}, ${count(bytes_total)} ${unit.name}${again}`;
  if (retry_at !== null)
    return `pulling ${ref}: try ${tries} failed (${last_error}), the next is at ${retry_at}`;
  const size = bytes_total === 0 ? "" : `, ${count(bytes_done)} of ${count(bytes_total)} ${unit.name}`;
  return `pulling ${ref}${size}${again}`;
}
