/** What a named network tool is, as data and pure functions: where it goes, what it asks, what it gives. */
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";

export interface NamedEndpoint {
  readonly tool: string;
  /** As the lists show it: the host, or what decides it. */
  readonly pinned: string;
  /** Members of the arguments and their types, as `checkMembers` takes them. */
  readonly members: Readonly<Record<string, string>>;
  readonly args: string;
  readonly result: string;
  /** Doing it twice is as doing it once. */
  readonly repeatable: boolean;
  /** What is wrong with the arguments beyond their types; null when nothing is. */
  fault(args: JsonObject): string | null;
  /** Below the endpoint's address, which the program cannot choose. */
  ask(args: JsonObject): EndpointQuestion;
  /** What the program gets; null when the answer has not the form that the endpoint promises. */
  shape(args: JsonObject, answer: JsonValue): JsonObject | null;
}

export interface EndpointQuestion {
  readonly method: "GET" | "POST";
  /** Path and query, every part of the program's encoded; `""` is the endpoint itself. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: JsonObject | null;
}

/** One name that can be no path and no query, whatever it is made of. */
const NAME = /^(?!\.{1,2}$)[A-Za-z0-9._-]{1,100}$/;

export function isName(value: JsonValue | undefined): boolean {
  return typeof value === "string" && NAME.test(value);
}

/** A branch, tag or path: names with slashes between them, encoded part by part. */
export function encodedPath(value: string): string {
  return value.split("/").map(encodeURIComponent).join("/");
}

export function isPath(value: JsonValue | undefined): boolean {
  if (typeof value !== "string" || value.length > 1024) return false;
  return value.split("/").every((part) => part !== "" && part !== "." && part !== "..");
}

export function isCount(value: JsonValue | undefined): boolean {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}
