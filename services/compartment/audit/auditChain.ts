/**
 * The chain of the audit log, to the byte. A stored line is the JSON text of the record with one more member at its
 * end, `"hash"`. Hash = SHA-256 in hex over the previous line's hash (64 characters; zeros before the first) followed
 * by the line without that member, in UTF-8. So a line that is changed, cut, added or moved breaks every later one.
 */
import { sha256 } from "../membrane/sha256.ts";

export const CHAIN_START = "0".repeat(64);

/** `s`: JSON leaves U+2028 and U+2029 as they are, and a dot alone does not match them. */
const SEALED = /^(.*),"hash":"([0-9a-f]{64})"\}$/s;

export interface SealedLine {
  readonly line: string;
  readonly hash: string;
}

/**
 * The line of a record that follows the one with the hash `previous`.
 * @param text JSON of the record, which has at least one member
 */
export function sealLine(previous: string, text: string): SealedLine {
  const hash = sha256(previous + text);
  return { line: `${text.slice(0, -1)},"hash":"${hash}"}`, hash };
}

/** The record's text and the hash that a stored line carries; null when it carries none. */
export function openLine(line: string): { readonly text: string; readonly hash: string } | null {
  const match = SEALED.exec(line);
  return match === null ? null : { text: `${match[1]}}`, hash: match[2]! };
}
