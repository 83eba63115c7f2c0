/** Frames of the Postgres protocol (version 3), as far as sharing one session needs them. Pure. */
import { createHash } from "node:crypto";

const frameBytesMax = 256 * 1024 * 1024;
const sslRequest = 80_877_103;
const gssRequest = 80_877_104;
const cancelRequest = 80_877_102;
const statementNameBytesMax = 63;

export type Frame =
  | { readonly kind: "encryption_request" | "cancel_request" }
  | { readonly kind: "startup"; readonly bytes: Buffer }
  /** `type` is the frame's letter: Q query, P parse, B bind, D describe, C close, E execute, S sync, … */
  | { readonly kind: "message"; readonly type: string; readonly bytes: Buffer };

/**
 * Cuts a client's bytes into frames. The first frames of a connection have no type letter.
 * @throws RangeError when a frame claims an impossible length
 */
export function frameReader(): (data: Buffer) => readonly Frame[] {
  let rest: Buffer = Buffer.alloc(0);
  let started = false;
  return (data) => {
    rest = rest.length === 0 ? data : Buffer.concat([rest, data]);
    const frames: Frame[] = [];
    for (;;) {
      const header = started ? 1 : 0;
      if (rest.length < header + 4) return frames;
      const length = header + rest.readUInt32BE(header);
      if (length < header + 4 || length > frameBytesMax) throw new RangeError(`a frame of ${length} bytes`);
      if (rest.length < length) return frames;
      const bytes = rest.subarray(0, length);
      rest = rest.subarray(length);
      const frame = started ? messageFrame(bytes) : openingFrame(bytes);
      if (frame.kind === "startup") started = true;
      frames.push(frame);
    }
  };
}

function messageFrame(bytes: Buffer): Frame {
  return { kind: "message", type: String.fromCharCode(bytes[0] ?? 0), bytes };
}

function openingFrame(bytes: Buffer): Frame {
  const code = bytes.length >= 8 ? bytes.readUInt32BE(4) : 0;
  if (code === sslRequest || code === gssRequest) return { kind: "encryption_request" };
  if (code === cancelRequest) return { kind: "cancel_request" };
  return { kind: "startup", bytes };
}

/** A message frame of `type` around `payload`. */
export function encodeFrame(type: string, payload: Buffer): Buffer {
  const header = Buffer.alloc(5);
  header.write(type, 0, "latin1");
  header.writeUInt32BE(payload.length + 4, 1);
  return Buffer.concat([header, payload]);
}

/** A simple query. */
export function queryFrame(sql: string): Buffer {
  return encodeFrame("Q", Buffer.from(`${sql}\0`));
}

export const syncFrame = encodeFrame("S", Buffer.alloc(0));

/** Closes a prepared statement. */
export function closeStatementFrame(name: string): Buffer {
  return encodeFrame("C", Buffer.from(`S${name}\0`));
}

/** The error that ends a connection, as the server itself would send it. */
export function fatalFrame(sqlState: string, message: string): Buffer {
  return encodeFrame("E", Buffer.from(`SFATAL\0VFATAL\0C${sqlState}\0M${message}\0\0`));
}

/**
 * Where a named prepared statement stands in a frame, or null. All clients share one session here, so a name
 * must be made the connection's own.
 */
function statementNameAt(type: string, bytes: Buffer): { start: number; end: number } | null {
  if (type === "P") return named(bytes, 5);
  if (type === "B") return named(bytes, bytes.indexOf(0, 5) + 1);
  if ((type === "D" || type === "C") && bytes[5] === 0x53) return named(bytes, 6);
  return null;
}

function named(bytes: Buffer, start: number): { start: number; end: number } | null {
  const end = bytes.indexOf(0, start);
  return end > start ? { start, end } : null;
}

/**
 * The frame with its statement name, if it has one, moved into `scope`.
 * @returns the name as the session will know it, or null for an unnamed or other frame
 */
export function scopeStatement(
  type: string,
  bytes: Buffer,
  scope: string,
): { bytes: Buffer; name: string | null } {
  const at = statementNameAt(type, bytes);
  if (at === null) return { bytes, name: null };
  const given = bytes.toString("latin1", at.start, at.end);
  const plain = `${scope}${given}`;
  const name =
    plain.length <= statementNameBytesMax
      ? plain
      : `${scope}${createHash("sha256").update(given).digest("hex").slice(0, 40)}`;
  const payload = Buffer.concat([
    bytes.subarray(5, at.start),
    Buffer.from(name, "latin1"),
    bytes.subarray(at.end),
  ]);
  return { bytes: encodeFrame(type, payload), name };
}

/** The status letter of a ReadyForQuery that ends `tail`: I idle, T in a transaction, E in a failed one. */
export function readyStatus(tail: Buffer): "I" | "T" | "E" | null {
  const at = tail.length - 6;
  if (at < 0 || tail[at] !== 0x5a || tail.readUInt32BE(at + 1) !== 5) return null;
  const letter = String.fromCharCode(tail[at + 5] ?? 0);
  return letter === "I" || letter === "T" || letter === "E" ? letter : null;
}
