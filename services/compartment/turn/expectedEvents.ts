/** What a run promises of its events: for each kind named, at least one event, and each of them of its schema. */
import { Rejection } from "../../kernel/errors.ts";
import type { AuditLog } from "../audit/auditLog.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../membrane/jsonText.ts";
import type { NamedPath } from "../policy/agentConfig.ts";
import { readSource } from "../policy/readSource.ts";

export interface ExpectedEvents {
  readonly kinds: readonly string[];
  /** What the events so far came to; a job begins its next tick with it. */
  standing(): EventStanding;
  /** Says of an event whose kind is expected whether it keeps its schema, to `record` unless that was done before. */
  check(event: JsonObject, record: ((fields: JsonObject) => void) | null): void;
  /** Writes what never came; true when everything promised was kept. */
  end(log: AuditLog): boolean;
}

export interface EventStanding {
  /** Kinds of which there was an event. */
  readonly seen: readonly string[];
  /** No event broke its schema. */
  readonly kept: boolean;
}

/** Issues named in one record; a program must not be able to fill the log with them. */
const ISSUES_MAX = 8;

/**
 * @param before of the earlier ticks of a job; null for a run
 * @throws Rejection `SCHEMA_REFUSED`, and those of reading the files
 */
export async function expectEvents(
  schemas: Readonly<Record<string, NamedPath>>,
  before: EventStanding | null,
): Promise<ExpectedEvents> {
  const kinds = Object.keys(schemas);
  const checks = new Map<string, (event: JsonObject) => readonly string[]>();
  for (const kind of kinds) checks.set(kind, await checkOf(schemas[kind]!));
  const seen = new Set<string>(before?.seen);
  let kept = before?.kept ?? true;
  return {
    kinds,
    standing: () => ({ seen: [...seen], kept }),
    check(event, record) {
      const { kind } = event;
      if (typeof kind !== "string") return;
      const check = checks.get(kind);
      if (check === undefined) return;
      seen.add(kind);
      const issues = check(event);
      if (issues.length > 0) kept = false;
      record?.({ kind, valid: issues.length === 0, issues: issues.slice(0, ISSUES_MAX) });
    },
    end(log) {
      for (const kind of kinds) {
        if (seen.has(kind)) continue;
        kept = false;
        log.append("schema_validation", { kind, valid: false, issues: ["no event of this kind"] });
      }
      if (!kept) log.append("post_turn_failure", { reason: "expected_events" });
      return kept;
    },
  };
}

async function checkOf(file: NamedPath): Promise<(event: JsonObject) => readonly string[]> {
  const { z } = await import("zod");
  try {
    const schema = JSON.parse(readSource(file.path).text) as JsonValue;
    if (!isJsonObject(schema)) throw new SyntaxError("not an object");
    // A pattern would run on the built-in engine over what the program wrote, and could stop this process.
    if (/"pattern(Properties)?"\s*:/.test(JSON.stringify(schema)))
      throw new SyntaxError("patterns are refused");
    const compiled = z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);
    return (event) => {
      const result = compiled.safeParse(JSON.parse(JSON.stringify(event)));
      return result.success ? [] : result.error.issues.map(({ path, code }) => `/${path.join("/")} ${code}`);
    };
  } catch (error) {
    if (error instanceof Rejection) throw error;
    const why = error instanceof Error ? error.message : "it cannot be read";
    throw new Rejection("SCHEMA_REFUSED", `${file.name} is not a schema that can be checked: ${why}.`);
  }
}
