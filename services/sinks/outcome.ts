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
    };

export function delivered(receipt: string): Outcome {
  return { result: "delivered", receipt };
}

export function failed(
  message: string,
  more: { final?: boolean; retryAfterMs?: number | null } = {},
): Outcome {
  return { result: "failed", message, final: more.final ?? false, retryAfterMs: more.retryAfterMs ?? null };
}
