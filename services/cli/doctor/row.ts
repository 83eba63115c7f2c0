import { type RowId, rowCatalogue, type Section } from "./rowCatalogue.ts";

/**
 * `warn`: it works, and something is not as strong as it could be. `fail`: something that Cazi needs is broken.
 * `not_enforced`: nothing stands in the way here. `unknown`: it could not be looked at.
 */
export type RowStatus = "ok" | "warn" | "fail" | "not_enforced" | "unknown";

/** One thing that doctor looked at. This is what `-o json` gives, and it keeps its names. */
export interface Row {
  readonly id: RowId;
  readonly section: Section;
  readonly status: RowStatus;
  readonly found: string;
  /** What to do, or what it means; null for nothing. */
  readonly next: string | null;
}

export function rowOf(id: RowId, status: RowStatus, found: string, next: string | null = null): Row {
  return { id, section: rowCatalogue[id].section, status, found, next };
}

/** What a look gives where it fails: `first` failed, and the others could not be looked at because of it. */
export async function rowsOr(
  of: {
    readonly first: RowId;
    readonly others: readonly RowId[];
    /** False where what fails may never have been used yet. */
    readonly isRunning?: boolean;
    /** What to do about a server that does not answer, where the failure's own hint is for others than doctor's reader. */
    readonly whenAway?: string;
  },
  look: () => Promise<Row[]>,
): Promise<Row[]> {
  try {
    return await look();
  } catch (error) {
    const { message, code, hint } = error as { message: string; code?: string; hint?: string };
    // What was never started is not broken.
    const status = code === "NOT_RUNNING" || of.isRunning === false ? "unknown" : "fail";
    const [said, ...rest] = message.split(": start it with ");
    const started = rest.length > 0 ? "Start it with `npm start`." : null;
    const isAway = code === "NATS_UNAVAILABLE" || code === "DATABASE_UNAVAILABLE";
    const told = isAway ? (of.whenAway ?? hint) : (hint ?? of.whenAway);
    const next = status === "fail" ? (told ?? null) : (hint ?? started);
    const unseen = `not looked at: ${said}`;
    return [
      rowOf(of.first, status, status === "unknown" ? unseen : said!, next),
      ...of.others.map((id) => rowOf(id, "unknown", `not looked at: ${said}`)),
    ];
  }
}
