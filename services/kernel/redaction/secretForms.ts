/** Which bytes give a secret value away. Pure. */

/** Shorter values are not looked for: they are in too much that is no secret. */
export const SECRET_BYTES_MIN = 6;
/** A longer value is looked for in pieces of this size, so that a part of it is found as well. A multiple of 3, for base64. */
const PIECE_BYTES = 48;
/** Lines of a value that are this long are looked for on their own: a file is often printed with something before each. */
const LINE_BYTES_MIN = 12;

/**
 * The byte strings to mask for these values: each value, the long lines of one with several, and both in base64 (standard
 * and URL, at each of the three places it can have within other bytes), hex, URL and JSON escapes.
 */
export function secretForms(values: readonly Uint8Array[]): readonly Uint8Array[] {
  const forms = new Map<string, Buffer>();
  const add = (form: Buffer) => {
    if (form.length >= SECRET_BYTES_MIN) forms.set(form.toString("latin1"), form);
  };
  for (const value of values) {
    for (const piece of piecesOf(Buffer.from(value))) {
      add(piece);
      for (const form of encoded(piece)) add(form);
    }
  }
  return [...forms.values()];
}

function piecesOf(value: Buffer): Buffer[] {
  const whole = trimmed(value);
  const lines = linesOf(whole);
  const parts =
    lines.length > 1 ? [whole, ...lines.filter((line) => line.length >= LINE_BYTES_MIN)] : [whole];
  return parts.filter((part) => part.length >= SECRET_BYTES_MIN).flatMap(cut);
}

/** A file's last newline is no part of the secret in it. */
function trimmed(value: Buffer): Buffer {
  const text = value.toString("latin1");
  return value.subarray(text.length - text.trimStart().length, text.trimEnd().length);
}

function linesOf(value: Buffer): Buffer[] {
  return value
    .toString("latin1")
    .split(/\r?\n/)
    .map((line) => Buffer.from(line.trim(), "latin1"));
}

/** Pieces that cover it all; the last one ends with it and may overlap. */
function cut(value: Buffer): Buffer[] {
  if (value.length <= PIECE_BYTES) return [value];
  const pieces: Buffer[] = [];
  for (let at = 0; at + PIECE_BYTES < value.length; at += PIECE_BYTES) {
    pieces.push(value.subarray(at, at + PIECE_BYTES));
  }
  pieces.push(value.subarray(-PIECE_BYTES));
  return pieces;
}

function* encoded(value: Buffer): Generator<Buffer> {
  const hex = value.toString("hex");
  yield Buffer.from(hex);
  yield Buffer.from(hex.toUpperCase());
  for (const text of inBase64(value)) {
    yield Buffer.from(text);
    yield Buffer.from(text.replaceAll("+", "-").replaceAll("/", "_"));
  }
  const text = value.toString("utf8");
  if (!Buffer.from(text).equals(value)) return;
  const url = encodeURIComponent(text);
  yield Buffer.from(url);
  yield Buffer.from(url.replaceAll("%20", "+"));
  yield Buffer.from(url.replace(/%../g, (code) => code.toLowerCase()));
  const json = JSON.stringify(text).slice(1, -1);
  yield Buffer.from(json);
  yield Buffer.from(
    json.replace(/[^ -~]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`),
  );
  yield Buffer.from(json.replaceAll("/", "\\/"));
}

/** In base64 alone, and the characters of it that do not depend on what is before and after. */
function* inBase64(value: Buffer): Generator<string> {
  const alone = value.toString("base64");
  yield alone;
  yield alone.replaceAll("=", "");
  for (const before of [0, 1, 2]) {
    const text = Buffer.concat([Buffer.alloc(before), value]).toString("base64");
    yield text.slice(Math.ceil((before * 8) / 6), Math.floor(((before + value.length) * 8) / 6));
  }
}
