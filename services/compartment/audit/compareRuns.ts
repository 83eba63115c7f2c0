/** Two recorded runs beside each other: what differs in the counts, and where the event streams part. Pure. */
import type { JsonObject, JsonValue } from "../membrane/jsonText.ts";
import type { AuditRecord } from "./readAuditLog.ts";
import { summarize } from "./summarize.ts";

/** What two runs of the same program may differ in without meaning anything. */
const INCIDENTAL = new Set(["head", "run_id", "torn_line", "used"]);

export interface Difference {
  readonly field: string;
  readonly before: JsonValue;
  readonly after: JsonValue;
}

/** @param events compare the events one by one as well */
export function compareRuns(
  before: readonly AuditRecord[],
  after: readonly AuditRecord[],
  { events }: { readonly events: boolean },
): JsonObject & { readonly same: boolean } {
  const about = { head: "", complete: true, tornLine: null };
  const summary = differences(summarize(before, about), summarize(after, about), "");
  const changed = events ? eventDifferences(before, after) : [];
  return {
    type: "agent_replay_diff",
    same: summary.length === 0 && changed.length === 0,
    differences: summary as unknown as JsonValue,
    ...(events ? { event_differences: changed as unknown as JsonValue } : {}),
  };
}

function differences(before: JsonObject, after: JsonObject, prefix: string): Difference[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((name) => {
    if (prefix === "" && INCIDENTAL.has(name)) return [];
    const [a, b] = [before[name] ?? null, after[name] ?? null];
    if (isObject(a) || isObject(b)) {
      return differences(isObject(a) ? a : {}, isObject(b) ? b : {}, `${prefix}${name}.`);
    }
    return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ field: prefix + name, before: a, after: b }];
  });
}

function isObject(value: JsonValue): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function eventDifferences(before: readonly AuditRecord[], after: readonly AuditRecord[]): Difference[] {
  const [a, b] = [before, after].map((records) =>
    records.filter(({ type }) => type === "event").map(({ event }) => event ?? null),
  ) as [JsonValue[], JsonValue[]];
  return Array.from({ length: Math.max(a.length, b.length) }, (_, index) => index).flatMap((index) => {
    const [one, other] = [a[index] ?? null, b[index] ?? null];
    return JSON.stringify(one) === JSON.stringify(other)
      ? []
      : [{ field: `event ${index}`, before: one, after: other }];
  });
}
