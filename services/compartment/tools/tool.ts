/** What a tool is to the membrane. A tool sees plain data and gives plain data; its failures are classified. */
import type { JsonObject } from "../membrane/jsonText.ts";

/** Writes a record of its own into the run's log. */
export type RecordEntry = (type: string, fields: JsonObject) => void;

export interface ToolCall {
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  readonly record: RecordEntry;
}

export interface Tool {
  readonly name: string;
  /** `sync`: the guest stands still until the result; `promise`: it goes on. */
  readonly mode: "sync" | "promise";
  /** Doing it twice is as doing it once: a job may repeat it after a crash without asking a person. */
  readonly repeatable: boolean;
  /** What is wrong with the shape of the arguments, as a sentence without values; null when nothing is. */
  check(args: JsonObject): string | null;
  /** The reason why these arguments are not admitted, before anything happens; null when they are. */
  admit(args: JsonObject): Promise<string | null> | string | null;
  /** @throws ToolFailure what the guest may know; anything else becomes a fixed sentence */
  run(call: ToolCall): Promise<JsonObject> | JsonObject;
}

/** A failure whose message was written for the guest: no path, no stack, no secret of the host. */
export class ToolFailure extends Error {
  override readonly name = "ToolFailure";
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

/** Checks that exactly these members are there; a `?` at the end of a type makes the member optional. */
export function checkMembers(args: JsonObject, members: Readonly<Record<string, string>>): string | null {
  for (const key of Object.keys(args)) {
    if (!Object.hasOwn(members, key)) return "There is a member that the tool does not know.";
  }
  for (const [key, type] of Object.entries(members)) {
    const value = args[key];
    if (value === undefined) {
      if (type.endsWith("?")) continue;
      return `${key} is missing.`;
    }
    const wanted = type.replace("?", "");
    const actual = Array.isArray(value) ? "array" : value === null ? "null" : typeof value;
    if (wanted !== "any" && actual !== wanted) return `${key} must be of type ${wanted}.`;
  }
  return null;
}
