/** Which bytes give a secret value away. Pure. */

/** Shorter values are not looked for: they are in too much that is no secret. */
export const SECRET_BYTES_MIN = 6;
/** A longer value is looked for in pieces of this size, so that a part of it is found as well. A multiple of 3, for base64. */
const PIECE_BYTES = 48;
/** What a line of base64 is made of: 76 characters by the program of that name, 64 in a PEM file. */
const WRAPPED_BYTES = [57, 48] as const;
/** Values within a value (of JSON, of `NAME=value`) that are this long are looked for on their own. */
const INNER_BYTES_MIN = 8;
/** Of one value; a file of settings has fewer. */
const INNER_MAX = 256;
/** Lines of a value that are this long are looked for on their own: a file is often printed with something before each. */
const LINE_BYTES_MIN = 12;

/**
 * The byte strings to mask for these values: each value, the long lines of one with several, what is a value within it (the
 * texts of JSON, what is behind `NAME=`), and all of these in base64 (standard and URL, at each of the three places it can have
 * within other bytes, and in lines of 64 and 76 characters), hex, URL and JSON escapes, JSON within JSON too.
 */
export function secretForms(values: readonly Uint8Array[]): readonly Uint8Array[] {
  const forms = new Map<string, Buffer>();
  const add = (bytes: Buffer | string) => {
    const form = typeof bytes === "string" ? Buffer.from(bytes) : bytes;
    if (form.length >= SECRET_BYTES_MIN) forms.set(form.toString("latin1"), form);
  };
  for (const value of values) {
    const bytes = Buffer.from(value);
    for (const piece of [...piecesOf(bytes), ...innerValues(bytes).flatMap(piecesOf)]) {
      add(piece);
      for (const form of encoded(piece)) add(form);
    }
    for (const line of wrappedLines(bytes)) add(line);
  }
  return [...forms.values()];
}

/** True for a value that cannot be masked, because its bytes are in too much that is no secret. */
export function isTooShort(value: Uint8Array): boolean {
  const { length } = trimmed(Buffer.from(value));
  return length > 0 && length < SECRET_BYTES_MIN;
}

/** A program reads a file of settings and prints one of them, decoded: the file's own lines are then nowhere. */
function innerValues(value: Buffer): Buffer[] {
  const text = value.toString("utf8");
  const found = [...textsOfJson(text), ...settingsOf(text)].filter(
    (inner) => Buffer.byteLength(inner) >= INNER_BYTES_MIN && inner !== text.trim(),
  );
  return [...new Set(found)].slice(0, INNER_MAX).map((inner) => Buffer.from(inner));
}

function textsOfJson(text: string): string[] {
  if (!/^\s*[[{]/.test(text)) return [];
  const texts: string[] = [];
  try {
    JSON.parse(text, (_name, inner) => {
      if (typeof inner === "string") texts.push(inner);
      return inner;
    });
  } catch {
    // It only begins like JSON.
    return [];
  }
  return texts;
}

/** What is behind `NAME=` or `name:` of a line, without quotes. */
function settingsOf(text: string): string[] {
  return [...text.matchAll(/^\s*(?:export\s+)?[\w.-]+\s*[=:]\s*(["']?)(.+?)\1\s*$/gm)].map(
    ([, , inner]) => inner!,
  );
}

/** As programs print what is longer than one line of base64. */
function wrappedLines(value: Buffer): string[] {
  return WRAPPED_BYTES.filter((bytes) => value.length > bytes).flatMap((bytes) => {
    const lines = Math.ceil(value.length / bytes);
    return Array.from({ length: lines }, (_, line) => {
      const part = value.subarray(line * bytes, (line + 1) * bytes);
      // The last one may have more behind it: what does not depend on that.
      return part.toString("base64").slice(0, Math.floor((part.length * 8) / 6));
    });
  });
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
  // As most languages but JavaScript have it.
  yield Buffer.from(url.replace(/[!'()*]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`));
  yield Buffer.from(url.replaceAll("%20", "+"));
  yield Buffer.from(url.replace(/%../g, (code) => code.toLowerCase()));
  const json = JSON.stringify(text).slice(1, -1);
  yield Buffer.from(json);
  yield Buffer.from(JSON.stringify(json).slice(1, -1));
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
