/** What came of one try of a sink. */
export type Outcome =
  | { readonly result: "delivered"; readonly receipt: string }
  | {
      readonly result: "failed";
      /** Why, as a sentence without a full stop; recorded when there is no further try. */
      readonly message: string;
      /** True when no further try can help. */
      readonly final: boolean;
      /** The target's own wish. */
      readonly retryAfterMs: number | null;
      /** A limit of the tenant's kept it from being tried: it waits, and has used up no try. */
      readonly held: boolean;
    };

export function delivered(receipt: string): Outcome {
  return { result: "delivered", receipt };
}

export function failed(
  message: string,
  more: { final?: boolean; retryAfterMs?: number | null; held?: boolean } = {},
): Outcome {
  const { final = false, retryAfterMs = null, held = false } = more;
  return { result: "failed", message, final, retryAfterMs, held };
}
