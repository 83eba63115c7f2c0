/** Every budget of a turn, once: its name in a policy (the flag is the same with dashes), default and bounds. */

export interface Budgets {
  /** Time of the guest's own running; what it waits for a tool is not counted. */
  readonly timeout_ms: number;
  readonly tool_timeout_ms: number;
  readonly max_events: number;
  readonly max_event_bytes: number;
  readonly max_tool_arg_bytes: number;
  readonly max_tool_result_bytes: number;
  readonly max_state_bytes: number;
  readonly max_microtasks: number;
  /** Null: not limited. Counted in granules, see {@link stepPolls}. */
  readonly max_steps: number | null;
  readonly max_heap_mb: number;
  /** Of the process that holds the engine; null: not limited, and no process of its own. */
  readonly max_rss_mb: number | null;
  readonly process_output_stream_chunk_bytes: number;
  /** Of a job; null: not limited. */
  readonly max_scheduler_turns: number | null;
}

interface BudgetRule {
  readonly fallback: number | null;
  readonly min: number;
  readonly max: number;
  readonly about: string;
  /** Why not less. */
  readonly minReason?: string;
}

const COUNT_MAX = 2_147_483_647;
const BYTES_MAX = 16 * 1024 * 1024;

export const budgetRules: { readonly [Key in keyof Budgets]: BudgetRule } = {
  timeout_ms: { fallback: 250, min: 1, max: COUNT_MAX, about: "running time of the program, milliseconds" },
  tool_timeout_ms: { fallback: 250, min: 1, max: COUNT_MAX, about: "time of one tool call, milliseconds" },
  max_events: { fallback: 128, min: 0, max: COUNT_MAX, about: "events emitted" },
  max_event_bytes: { fallback: 65_536, min: 2, max: BYTES_MAX, about: "bytes of one event or note" },
  max_tool_arg_bytes: { fallback: 65_536, min: 2, max: BYTES_MAX, about: "bytes of a call's arguments" },
  max_tool_result_bytes: { fallback: 65_536, min: 2, max: BYTES_MAX, about: "bytes of a call's result" },
  max_state_bytes: { fallback: 65_536, min: 2, max: BYTES_MAX, about: "bytes of the state" },
  max_microtasks: { fallback: 10_000, min: 0, max: COUNT_MAX, about: "promise jobs run" },
  max_steps: { fallback: null, min: 1, max: COUNT_MAX, about: "steps of the engine, in granules of 10,000" },
  // The engine itself takes 16 MiB; a 32-bit one cannot have more than 2 GiB.
  max_heap_mb: { fallback: 64, min: 24, max: 2048, about: "memory of the engine, MiB" },
  max_rss_mb: {
    fallback: null,
    min: 96,
    max: 65_536,
    about: "memory of a process of its own, MiB",
    minReason: "a process that holds nothing but the engine takes most of that",
  },
  process_output_stream_chunk_bytes: {
    fallback: 1024,
    min: 1,
    max: 8192,
    about: "bytes of one recorded piece of a command's output",
  },
  max_scheduler_turns: { fallback: null, min: 1, max: COUNT_MAX, about: "ticks of a job" },
};

export const budgetKeys = Object.keys(budgetRules) as (keyof Budgets)[];

export const defaultBudgets = Object.fromEntries(
  budgetKeys.map((key) => [key, budgetRules[key].fallback]),
) as unknown as Budgets;

/** Branches and calls that the engine runs between two looks at the step budget. */
export const STEPS_PER_POLL = 10_000;

/**
 * The looks that `maxSteps` allows: one at the start of the program, then one each granule. A value inside a granule
 * counts as the whole of it.
 */
export function stepPolls(maxSteps: number): number {
  return Math.ceil(maxSteps / STEPS_PER_POLL) + 1;
}

/** What is wrong with a value for a budget, as the end of a sentence; null when nothing is. */
export function budgetFault(key: keyof Budgets, value: unknown): string | null {
  const { min, max, minReason } = budgetRules[key];
  const fits = typeof value === "number" && Number.isInteger(value) && value >= min && value <= max;
  const reason = minReason === undefined ? "" : ` (${minReason})`;
  return fits ? null : `must be a whole number from ${min} to ${max}${reason}`;
}
