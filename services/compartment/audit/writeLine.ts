import { writeSync } from "node:fs";

/** Appends a line and its newline; all of it is with the operating system when this returns. One write, unless that was short. */
export function writeLine(file: number, line: string): void {
  const text = `${line}\n`;
  let written = writeSync(file, text);
  if (written === Buffer.byteLength(text)) return;
  const bytes = Buffer.from(text);
  while (written < bytes.length) written += writeSync(file, bytes, written);
}
