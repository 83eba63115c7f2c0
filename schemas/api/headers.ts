/** Headers of the API beside the standard ones. Names are compared without case; these are as they are sent. */
export const headers = {
  /** On a creating request: the same key and body create once, for ever. */
  idempotencyKey: "Idempotency-Key",
  /** On the answer to a repeated key: nothing new was created. */
  idempotentReplayed: "Idempotent-Replayed",
  /** On a request: the door it came through, `mcp` or `cli`. It is recorded, and gives no right. */
  route: "X-Cazi-Route",
  /** On raw output: bytes beyond the cap, which were not kept; absent when there were none. */
  dropped: "Cazi-Dropped",
  /** On raw output: `true` when bytes were not kept. */
  truncated: "Cazi-Truncated",
  /** On raw output: `true` when the task is over, so that these bytes are all there will be. */
  complete: "Cazi-Complete",
  /** On creating and changing answers: the place in the ledger from which on reads show it (`?min_seq=`). */
  position: "Cazi-Position",
  /** On every answer: finds the request in the server's log. */
  correlationId: "X-Correlation-Id",
} as const;
