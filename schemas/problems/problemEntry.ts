/** What the catalogue says of one code. */
export interface ProblemEntry {
  /** HTTP status of the answer that carries the code; null where it never leaves in an answer of the API. */
  readonly status: number | null;
  /** What has happened, as sentences. */
  readonly means: string;
  /** What whoever meets it does next, as sentences. */
  readonly todo: string;
}

/** A list of entries by code. */
export type ProblemList = Readonly<Record<string, ProblemEntry>>;
