/** Parts of an item that may be longer than a result: labels, and what a history keeps of a spec. Pure. */
import type { ApiTaskEvent } from "../schemas/api/taskEvent.ts";
import { eventDataCharsMax, labelsCharsMax } from "./limits.ts";

export interface Capped<T> {
  readonly value: T;
  /** True when something was left out. */
  readonly truncated: boolean;
}

/** An item without those of its labels that come after `labelsCharsMax` characters of JSON. */
export function capLabels<T extends { readonly labels: Readonly<Record<string, string>> }>(
  item: T,
): Capped<T> {
  let chars = 2;
  const entries = Object.entries(item.labels);
  const fitting = entries.filter((entry) => {
    chars += JSON.stringify(entry).length;
    return chars <= labelsCharsMax;
  });
  if (fitting.length === entries.length) return { value: item, truncated: false };
  return { value: { ...item, labels: Object.fromEntries(fitting) }, truncated: true };
}

/** An event without the spec that the first one carries, where that is long; `get_task` has it. */
export function capEvent(event: ApiTaskEvent): Capped<ApiTaskEvent> {
  if (JSON.stringify(event.data).length <= eventDataCharsMax) return { value: event, truncated: false };
  const { spec: _, ...data } = event.data;
  return { value: { ...event, data }, truncated: true };
}

/** A page whose items were capped. */
export function capPage<T>(
  page: { readonly data: readonly T[]; readonly next_cursor: string | null },
  cap: (item: T) => Capped<T>,
): { readonly data: T[]; readonly next_cursor: string | null; readonly truncated: boolean } {
  const capped = page.data.map(cap);
  return {
    data: capped.map(({ value }) => value),
    next_cursor: page.next_cursor,
    truncated: capped.some(({ truncated }) => truncated),
  };
}
