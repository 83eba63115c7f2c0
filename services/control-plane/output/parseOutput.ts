/**
 * Turns a task's standard output into values, within bounds. Pure.
 *
 * What cannot be parsed is recorded by what is stored: the bytes, which stay as long as the task does, and the
 * format, in the spec. Value and parse error follow from them and from nothing else, so they are made at each reading
 * and are the same at each: docs/adr/0013 tells why nothing of them is stored.
 */

import { isUtf8 } from "node:buffer";
import { outputDepthMax, outputSampleBytesMax, outputTextBytesMax, outputValuesMax } from "../limits.ts";
import { endOfCharacters } from "./endOfCharacters.ts";
import { jsonFault } from "./jsonFault.ts";

export interface ParsedOutput {
  readonly value: unknown;
  readonly parse_error: { readonly message: string; readonly line: number | null } | null;
  /** The beginning as text, where it could not be parsed. */
  readonly text: string | null;
  /** True when the value is not made from all of the output. */
  readonly truncated: boolean;
}

/**
 * @param bytes the output, or as much of it as is parsed at all
 * @param cut true when there was more
 */
export function parseOutput(
  format: "text" | "ndjson" | "json" | "markdown",
  bytes: Buffer,
  cut: boolean,
): ParsedOutput {
  switch (format) {
    case "json":
      return parseJson(bytes, cut);
    case "ndjson":
      return parseLines(bytes, cut);
    case "markdown":
      return parseMarkdown(bytes, cut);
    case "text":
      return asText(bytes, cut);
  }
}

function asText(bytes: Buffer, cut: boolean): ParsedOutput {
  const shown = bytes.length > outputTextBytesMax ? bytes.subarray(0, outputTextBytesMax) : bytes;
  // A cut of ours must not make half a character of a whole one.
  const cutInside = cut || shown.length < bytes.length;
  return {
    value: decode(cutInside ? shown.subarray(0, endOfCharacters(shown)) : shown),
    parse_error: null,
    text: null,
    truncated: cutInside,
  };
}

/** A document is text, and bytes that are none are a fault; `text` shows them as well as it can. */
function parseMarkdown(bytes: Buffer, cut: boolean): ParsedOutput {
  const whole = cut ? bytes.subarray(0, endOfCharacters(bytes)) : bytes;
  if (isUtf8(whole)) return asText(bytes, cut);
  const line = firstLineThatIsNoText(whole);
  return {
    value: null,
    parse_error: { message: `line ${line} is not UTF-8`, line },
    text: sample(bytes),
    truncated: cut,
  };
}

/** From 1; the byte of a line's end is no part of any other character. */
function firstLineThatIsNoText(bytes: Buffer): number {
  let from = 0;
  for (let line = 1; ; line++) {
    const end = bytes.indexOf(0x0a, from);
    if (end === -1 || !isUtf8(bytes.subarray(from, end))) return line;
    from = end + 1;
  }
}

function parseJson(bytes: Buffer, cut: boolean): ParsedOutput {
  const parsed: Parsed = cut
    ? { problem: "the output was cut, so it is not whole JSON" }
    : parseValue(decode(bytes));
  if ("value" in parsed) return { value: parsed.value, parse_error: null, text: null, truncated: false };
  return {
    value: null,
    parse_error: { message: parsed.problem, line: null },
    text: sample(bytes),
    truncated: cut,
  };
}

/** Blank lines are no values. The first line that is not JSON ends the list. */
function parseLines(bytes: Buffer, cut: boolean): ParsedOutput {
  const lines = decode(bytes).split("\n");
  // The last piece of an output that was cut is a part of a line, unless it is empty.
  if (cut) lines.pop();
  const values: unknown[] = [];
  for (const [index, line] of lines.entries()) {
    if (line.trim() === "") continue;
    if (values.length >= outputValuesMax)
      return { value: values, parse_error: null, text: null, truncated: true };
    const parsed = parseValue(line);
    if ("problem" in parsed) {
      const parse_error = { message: parsed.problem, line: index + 1 };
      return { value: values, parse_error, text: line.slice(0, outputSampleBytesMax), truncated: cut };
    }
    values.push(parsed.value);
  }
  return { value: values, parse_error: null, text: null, truncated: cut };
}

type Parsed = { readonly value: unknown } | { readonly problem: string };

function parseValue(text: string): Parsed {
  if (depthOf(text) > outputDepthMax) return { problem: `it is nested deeper than ${outputDepthMax} levels` };
  try {
    return { value: JSON.parse(text) };
  } catch {
    return { problem: jsonFault(text) ?? "it is not JSON" };
  }
}

/** Levels of brackets outside strings; an upper bound where the text is not JSON. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (inString) {
      if (unit === 92) index++;
      else if (unit === 34) inString = false;
    } else if (unit === 34) inString = true;
    else if (unit === 91 || unit === 123) deepest = Math.max(deepest, ++depth);
    else if (unit === 93 || unit === 125) depth--;
  }
  return deepest;
}

function sample(bytes: Buffer): string {
  return decode(bytes.subarray(0, outputSampleBytesMax));
}

/** Without the mark that some tools begin UTF-8 with. */
function decode(bytes: Buffer): string {
  const text = bytes.toString("utf8");
  return text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
}
