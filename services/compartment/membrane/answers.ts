/** What the prelude understands as an answer. Built here only, so that no text of a tool is ever taken for one. */

/** `json` is the JSON text of the value. */
export function answerValue(json: string): string {
  return `["v",${json}]`;
}

export const answerNothing = '["u"]';

/** A promise that {@link completionValue} or {@link completionFailure} with the same id settles. */
export function answerPromise(id: number): string {
  return `["p",${id}]`;
}

export interface GuestFailure {
  readonly name: "Error" | "TypeError" | "RangeError";
  readonly message: string;
  readonly code: string;
}

export function answerFailure({ name, message, code }: GuestFailure): string {
  return JSON.stringify(["e", name, message, code]);
}

export function completionValue(id: number, json: string): string {
  return `[${id},"v",${json}]`;
}

export function completionFailure(id: number, { name, message, code }: GuestFailure): string {
  return JSON.stringify([id, "e", name, message, code]);
}
