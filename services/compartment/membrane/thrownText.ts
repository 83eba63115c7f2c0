/** What a program threw, for people. Pure. All of it is the program's to choose, also its name and its stack. */
import type { JsonObject } from "./jsonText.ts";
import { plainLine } from "./plainLine.ts";

/** One line. */
export function thrownSentence({ name, message }: JsonObject): string {
  return plainLine(`${name}: ${message}`);
}

/** A line for each frame, indented: it cannot pass for a line of anybody else. */
export function stackLines({ stack }: JsonObject): string[] {
  if (typeof stack !== "string") return [];
  return stack.split("\n").flatMap((line) => (line.trim() === "" ? [] : [`    ${plainLine(line.trim())}`]));
}
