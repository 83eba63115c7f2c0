/**
 * The reconcile decision of each beat, and of each start of the agent (which knows no answer yet). Pure and
 * total: what the ledger wants, what is on this node, and out come actions that may each be done twice.
 */
import type { AttemptRef, BeatReply } from "../../schemas/messages/node.ts";
import type { LedgerPosition } from "./ports.ts";

/** An attempt that this agent is busy with. `asking`: no grant yet. */
export interface LocalAttempt {
  readonly ref: AttemptRef;
  readonly state: "asking" | "granted" | "preparing" | "running" | "stopping" | "held";
  /** Null while asking, and for what another version of the agent left behind. */
  readonly grantedAt: LedgerPosition | null;
  /** Time since its last report was stored; null when that never happened. */
  readonly reportedAgoMs: number | null;
}

/** An attempt found on the runtime or in the markers, whether this agent is busy with it or not. */
export interface FoundAttempt {
  readonly ref: AttemptRef;
  readonly container: "none" | "created" | "running" | "exited";
  readonly marker: "none" | "started" | "never";
}

export interface PlanInput {
  /** The control plane's answer; null at the start, when there is none yet. */
  readonly answer: Pick<BeatReply, "as_of" | "desired" | "settled"> | null;
  /** Null when the runtime cannot be seen: then nothing follows from an absence. */
  readonly observed: readonly FoundAttempt[] | null;
  /** Not all was seen: what is found is here, and nothing follows from what is not. */
  readonly partial?: boolean;
  readonly local: readonly LocalAttempt[];
  readonly reportAgainMs: number;
}

export type Action =
  /** Follow it to its end, or report the end it had while the agent was away. */
  | { readonly do: "adopt"; readonly ref: AttemptRef }
  /** It was about to start and there is nothing to show: never start it again. */
  | { readonly do: "report_lost"; readonly ref: AttemptRef }
  /** An earlier life said that it never starts: that stays so. */
  | { readonly do: "report_never"; readonly ref: AttemptRef }
  /** Nothing of it is here: the grant decides whether it may start. */
  | { readonly do: "ask"; readonly ref: AttemptRef }
  | { readonly do: "report_cancelled"; readonly ref: AttemptRef }
  | { readonly do: "report_again"; readonly ref: AttemptRef }
  | { readonly do: "stop"; readonly ref: AttemptRef; readonly by: "cancel" | "settled" }
  | { readonly do: "remove"; readonly ref: AttemptRef };

/** Decides what a node does now. See the action types for what each is for. */
export function plan(input: PlanInput): Action[] {
  const known = new Set(input.local.map((one) => one.ref.fence));
  const observed = input.observed ?? [];
  const found = new Set(observed.map((one) => one.ref.fence));
  const settled = new Set(input.answer?.settled ?? []);
  const desired = new Map((input.answer?.desired ?? []).map((one) => [one.fence, one]));
  const actions: Action[] = [];
  for (const one of input.local) actions.push(...forLocal(input, one, { settled, desired }));
  for (const one of observed) {
    if (!known.has(one.ref.fence)) actions.push(...forFound(one, settled.has(one.ref.fence)));
  }
  if (input.observed === null || input.partial === true) return actions;
  for (const one of desired.values()) {
    if (known.has(one.fence) || found.has(one.fence)) continue;
    const { cancel, ...ref } = one;
    actions.push({ do: cancel ? "report_cancelled" : "ask", ref });
  }
  return actions;
}

function forLocal(
  input: PlanInput,
  one: LocalAttempt,
  ledger: {
    readonly settled: ReadonlySet<string>;
    readonly desired: ReadonlyMap<string, { readonly cancel: boolean }>;
  },
): Action[] {
  const { ref, state } = one;
  if (input.answer === null || state === "asking") return [];
  const wanted = ledger.desired.get(ref.fence);
  const active = state !== "held" && state !== "stopping";
  // Settled is the only licence to remove, and what is removed has ended: a live one is stopped first.
  if (ledger.settled.has(ref.fence)) {
    if (state === "held") return [{ do: "remove", ref }];
    return active ? [{ do: "stop", ref, by: "settled" }] : [];
  }
  if (wanted !== undefined) {
    if (wanted.cancel && active) return [{ do: "stop", ref, by: "cancel" }];
    const old = one.reportedAgoMs !== null && one.reportedAgoMs >= input.reportAgainMs;
    return state === "held" && old ? [{ do: "report_again", ref }] : [];
  }
  // An answer made before the grant, or of another life of the ledger, knows nothing of this attempt.
  return active && covers(input.answer.as_of, one.grantedAt) ? [{ do: "stop", ref, by: "settled" }] : [];
}

function forFound(one: FoundAttempt, settled: boolean): Action[] {
  const { ref } = one;
  if (one.container === "running" || one.container === "exited") {
    return [{ do: "adopt", ref }];
  }
  if (settled) return [{ do: "remove", ref }];
  if (one.marker === "started") return [{ do: "report_lost", ref }];
  if (one.marker === "never") return [{ do: "report_never", ref }];
  return [{ do: "ask", ref }];
}

function covers(asOf: LedgerPosition, grantedAt: LedgerPosition | null): boolean {
  return grantedAt !== null && asOf.epoch === grantedAt.epoch && asOf.seq >= grantedAt.seq;
}
