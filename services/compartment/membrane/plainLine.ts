/**
 * Text of somebody else within one line of a terminal. Pure. It begins no line, moves no cursor and turns no direction:
 * controls, separators of lines and marks of direction are shown as escapes of JSON.
 */

const UNPLAIN = /[\p{Cc}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu;

export function plainLine(text: string): string {
  return text.replace(UNPLAIN, (character) =>
    character === "\n" ? "\\n" : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
