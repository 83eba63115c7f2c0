/** When a task that never started is given up, in milliseconds since 1970, or null for never. */
export function startDeadline(state: {
  readonly submitted_at: number;
  readonly limits: { readonly start_within_ms: number | null };
}): number | null {
  const within = state.limits.start_within_ms;
  return within === null ? null : state.submitted_at + within;
}
