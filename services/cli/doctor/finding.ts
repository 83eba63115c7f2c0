/** One thing that doctor looked at. */
export interface Finding {
  readonly check: string;
  /** warning: it works, and something is not as strong as it could be. */
  readonly result: "ok" | "warning" | "failed";
  readonly found: string;
  /** What to do, or what it means; "" for nothing. */
  readonly advice: string;
}

/** Gives the finding of `look`, or its failure as one. */
export async function findingOf(check: string, look: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    const { message, hint } = error as { message: string; hint?: string };
    return [{ check, result: "failed", found: message, advice: hint ?? "" }];
  }
}
