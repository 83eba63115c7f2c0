/** Of the ratio where there is one to hold, else of the value. */
export interface Target {
  readonly of: "ratio" | "value";
  readonly is: "at most" | "at least";
  readonly value: number;
}

/** One line of the table: a figure of the system beside its control, or alone. */
export interface Figure {
  readonly name: string;
  readonly unit: string;
  /** Median of the rounds. */
  readonly value: number;
  readonly control: { readonly name: string; readonly value: number } | null;
  /** Median of the rounds' own ratios, system to control. */
  readonly ratio: number | null;
  readonly target: Target | null;
  readonly rounds: readonly { readonly value: number; readonly control: number | null }[];
}

export interface BenchResult {
  readonly figures: readonly Figure[];
  /** Counts and costs that belong to them, as lines of text for the table and values for the file. */
  readonly details: Readonly<Record<string, unknown>>;
}

export function median(values: readonly number[]): number {
  return percentile(values, 0.5);
}

/** @param share 0 to 1; between two values, the mean of both by weight */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  if (sorted.length === 0) return Number.NaN;
  const at = share * (sorted.length - 1);
  const low = sorted[Math.floor(at)]!;
  const high = sorted[Math.ceil(at)]!;
  return low + (high - low) * (at - Math.floor(at));
}

/** From rounds that each have a control of their own, measured right beside. */
export function compared(
  of: Pick<Figure, "name" | "unit" | "target"> & {
    readonly controlName: string;
    readonly rounds: readonly { readonly value: number; readonly control: number }[];
  },
): Figure {
  const { name, unit, target, rounds } = of;
  return {
    name,
    unit,
    target,
    rounds,
    value: median(rounds.map((one) => one.value)),
    control: { name: of.controlName, value: median(rounds.map((one) => one.control)) },
    ratio: median(rounds.map((one) => one.value / one.control)),
  };
}

/** A figure without a control. */
export function alone(
  name: string,
  unit: string,
  values: readonly number[],
  target: Target | null = null,
): Figure {
  const rounds = values.map((value) => ({ value, control: null }));
  return { name, unit, value: median(values), control: null, ratio: null, target, rounds };
}

/** Null without a target. */
export function isMet({ target, ratio, value }: Figure): boolean | null {
  if (target === null) return null;
  const measured = target.of === "ratio" ? ratio! : value;
  return target.is === "at most" ? measured <= target.value : measured >= target.value;
}
