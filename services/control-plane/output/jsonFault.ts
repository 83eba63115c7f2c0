/**
 * Where a text stops being JSON (RFC 8259), in words of our own. What a parse error says is never stored: it is made
 * again from the stored bytes at each reading, so it has to be the same whatever version of the runtime reads, and the
 * runtime's own sentences are not. Pure, without recursion: a text may be nested a million deep.
 */
import { textPosition } from "../../domain/spec/textPosition.ts";

type Expecting = "value" | "value or end" | "key" | "key or end" | "colon" | "comma or end" | "end of text";

const WORDS: Readonly<Record<Expecting, string>> = {
  value: "a value",
  "value or end": "a value or ]",
  key: "a name in quotes",
  "key or end": "a name in quotes or }",
  colon: "a colon",
  "comma or end": "a comma or a closing bracket",
  "end of text": "nothing more",
};
const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

/** A sentence about the first place that is not JSON; null for a text that is. */
export function jsonFault(text: string): string | null {
  const open: ("{" | "[")[] = [];
  let expecting: Expecting = "value";
  let at = 0;
  for (;;) {
    at = after(SPACE, text, at) ?? at;
    if (at >= text.length) {
      if (expecting === "end of text") return null;
      return text.trim() === "" ? "it is empty" : `it ends where ${WORDS[expecting]} is expected`;
    }
    const step = next(text, at, expecting, open);
    if (typeof step === "string") return step;
    if (step === null) return `${WORDS[expecting]} is expected at ${textPosition(text, at)}`;
    [at, expecting] = step;
  }
}

/** The place after one token and what comes then; a sentence for a bad string; null for what must not stand here. */
function next(
  text: string,
  at: number,
  expecting: Expecting,
  open: ("{" | "[")[],
): readonly [number, Expecting] | string | null {
  const char = text[at]!;
  const afterValue = (): Expecting => (open.length === 0 ? "end of text" : "comma or end");
  const closes = char === "}" ? "{" : char === "]" ? "[" : null;
  if (closes !== null) {
    const mayEnd =
      expecting === "comma or end" || expecting === (closes === "{" ? "key or end" : "value or end");
    if (!mayEnd || open.at(-1) !== closes) return null;
    open.pop();
    return [at + 1, afterValue()];
  }
  if (expecting === "colon") return char === ":" ? [at + 1, "value"] : null;
  if (expecting === "comma or end") {
    return char === "," ? [at + 1, open.at(-1) === "{" ? "key" : "value"] : null;
  }
  if (expecting === "end of text") return null;
  const isKey = expecting === "key" || expecting === "key or end";
  if (char === '"') {
    const end = stringEnd(text, at);
    return typeof end === "string" ? end : [end, isKey ? "colon" : afterValue()];
  }
  if (isKey) return null;
  if (char === "{" || char === "[") {
    open.push(char);
    return [at + 1, char === "{" ? "key or end" : "value or end"];
  }
  const end = after(NUMBER, text, at) ?? after(LITERAL, text, at);
  return end === null ? null : [end, afterValue()];
}

function stringEnd(text: string, start: number): number | string {
  for (let at = start + 1; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x22) return at + 1;
    if (code < 0x20) return `a control character stands in a string at ${textPosition(text, at)}`;
    if (code !== 0x5c) continue;
    const end = after(ESCAPE, text, at);
    if (end === null) return `an escape is not one of JSON's at ${textPosition(text, at)}`;
    at = end - 1;
  }
  return `the string that begins at ${textPosition(text, start)} has no end`;
}

function after(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}
