interface Startable {
  readonly submitted_at: number;
  readonly retries_used: number;
  readonly limits: { readonly start_within_ms: number | null };
}

/**
 * When a task that never started is given up, in milliseconds since 1970, or null for never. What started once has
 * started in time, however long its retries wait.
 */
export function startDeadline(state: Startable): number | null {
  const within = state.limits.start_within_ms;
  return within === null || state.retries_used > 0 ? null : state.submitted_at + within;
}

/** How long an attempt that is granted at `at` has until its container starts: the task's own deadline goes first. */
export function startWindowMs(state: Startable, at: number, startLimitMs: number): number {
  const deadline = startDeadline(state);
  return deadline === null ? startLimitMs : Math.max(0, Math.min(startLimitMs, deadline - at));
}
