/** A line for a person who waits, on standard error: the table on standard output stays clean. */
export function progress(text: string): void {
  process.stderr.write(`  ${text}\n`);
}
