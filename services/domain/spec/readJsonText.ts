/**
 * A strict JSON reader (RFC 8259). The built-in one keeps the last of two equal keys, rounds 2^53 + 1, and does
 * not always say where a text is wrong; a YAML parser finds all that at fifty times the cost.
 */
import { type Refusal, refuse } from "../refusal.ts";
import { pointerTo } from "./jsonPointer.ts";
import { specDepthMax } from "./limits.ts";
import { wrongNumber } from "./numberText.ts";
import { textPosition } from "./textPosition.ts";

/** Ends a reading from any depth; never leaves this file. */
class Stop extends Error {
  readonly refusal: Refusal;
  constructor(refusal: Refusal) {
    super(refusal.code);
    this.refusal = refusal;
  }
}

interface Reading {
  readonly text: string;
  offset: number;
  readonly path: (string | number)[];
}

const NUMBER = /-?\d[\d.eE+-]*/y;
const LITERALS = [
  ["true", true],
  ["false", false],
  ["null", null],
] as const;

/** @returns the value, boxed, or a refusal as `parseSpecText` names them */
export function readJsonText(text: string): { readonly value: unknown } | Refusal {
  const reading: Reading = { text, offset: text.charCodeAt(0) === 0xfeff ? 1 : 0, path: [] };
  try {
    const value = readValue(reading);
    skipSpace(reading);
    if (reading.offset < text.length)
      throw stop(reading, "SPEC_SYNTAX", "something follows after the end of the spec");
    return { value };
  } catch (error) {
    if (error instanceof Stop) return error.refusal;
    throw error;
  }
}

function readValue(reading: Reading): unknown {
  skipSpace(reading);
  switch (reading.text.charCodeAt(reading.offset)) {
    case 0x7b:
      return readObject(reading);
    case 0x5b:
      return readArray(reading);
    case 0x22:
      return readString(reading);
    default:
      return readNumberOrLiteral(reading);
  }
}

function readObject(reading: Reading): Record<string, unknown> {
  enter(reading);
  const members: Record<string, unknown> = {};
  if (take(reading, 0x7d)) return members;
  do {
    skipSpace(reading);
    const start = reading.offset;
    if (reading.text.charCodeAt(start) !== 0x22)
      throw stop(reading, "SPEC_SYNTAX", "a key in double quotes is missing");
    const name = readString(reading);
    reading.path.push(name);
    if (Object.hasOwn(members, name)) {
      reading.offset = start;
      throw stop(
        reading,
        "SPEC_DUPLICATE_KEY",
        `the key ${JSON.stringify(name.slice(0, 80))} is given twice`,
      );
    }
    if (!take(reading, 0x3a)) throw stop(reading, "SPEC_SYNTAX", "a colon is missing");
    setMember(members, name, readValue(reading));
    reading.path.pop();
  } while (take(reading, 0x2c));
  if (!take(reading, 0x7d)) throw stop(reading, "SPEC_SYNTAX", "a comma or } is missing");
  return members;
}

/** An assignment to `__proto__` would change the object's kind and leave no trace for the next reader to refuse. */
function setMember(members: Record<string, unknown>, name: string, value: unknown): void {
  if (name === "__proto__") {
    Object.defineProperty(members, name, { value, enumerable: true, configurable: true, writable: true });
  } else members[name] = value;
}

function readArray(reading: Reading): unknown[] {
  enter(reading);
  const items: unknown[] = [];
  if (take(reading, 0x5d)) return items;
  do {
    reading.path.push(items.length);
    items.push(readValue(reading));
    reading.path.pop();
  } while (take(reading, 0x2c));
  if (!take(reading, 0x5d)) throw stop(reading, "SPEC_SYNTAX", "a comma or ] is missing");
  return items;
}

function readString(reading: Reading): string {
  const { text } = reading;
  const start = reading.offset;
  let hasEscape = false;
  for (let at = start + 1; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    if (unit === 0x22) {
      reading.offset = at + 1;
      return hasEscape ? unescaped(reading, start) : text.slice(start + 1, at);
    }
    if (unit === 0x5c) {
      hasEscape = true;
      at += 1;
    } else if (unit < 0x20) {
      reading.offset = at;
      throw stop(reading, "SPEC_SYNTAX", "a control character stands in a string; escape it");
    }
  }
  throw stop(reading, "SPEC_SYNTAX", "a string has no end");
}

/** The built-in reader knows the escapes; what it is given is one string literal. */
function unescaped(reading: Reading, start: number): string {
  try {
    return JSON.parse(reading.text.slice(start, reading.offset)) as string;
  } catch {
    reading.offset = start;
    throw stop(reading, "SPEC_SYNTAX", "a string holds an escape that JSON does not know");
  }
}

function readNumberOrLiteral(reading: Reading): unknown {
  const { text, offset } = reading;
  NUMBER.lastIndex = offset;
  const match = NUMBER.exec(text);
  if (match !== null) {
    const value = Number(match[0]);
    const wrong = Number.isNaN(value)
      ? `${match[0].slice(0, 40)} is not a number`
      : wrongNumber(match[0], value);
    if (wrong !== null) throw stop(reading, "SPEC_NUMBER", wrong);
    reading.offset += match[0].length;
    // -0 is written as 0 in the record.
    return value + 0;
  }
  for (const [word, value] of LITERALS) {
    if (!text.startsWith(word, offset)) continue;
    reading.offset += word.length;
    return value;
  }
  throw stop(
    reading,
    "SPEC_SYNTAX",
    offset >= text.length ? "the text ends too early" : "a value is missing",
  );
}

function enter(reading: Reading): void {
  if (reading.path.length >= specDepthMax) {
    throw stop(reading, "SPEC_TOO_DEEP", `a spec may nest at most ${specDepthMax} levels deep`);
  }
  reading.offset += 1;
}

function take(reading: Reading, unit: number): boolean {
  skipSpace(reading);
  if (reading.text.charCodeAt(reading.offset) !== unit) return false;
  reading.offset += 1;
  return true;
}

function skipSpace(reading: Reading): void {
  for (;;) {
    const unit = reading.text.charCodeAt(reading.offset);
    if (unit !== 0x20 && unit !== 0x0a && unit !== 0x0d && unit !== 0x09) return;
    reading.offset += 1;
  }
}

function stop(reading: Reading, code: string, message: string): Stop {
  const place = textPosition(reading.text, reading.offset);
  return new Stop(
    refuse(code, `The spec cannot be read, ${place}: ${message}.`, {
      details: [{ pointer: pointerTo(reading.path), message: `${place}: ${message}` }],
    }),
  );
}
