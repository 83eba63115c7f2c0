/**
 * What an operator's `cazi reap` takes away. Pure and total: what was found on this machine under the instance's
 * name, what the control plane says of it, and out comes a verdict for each thing.
 *
 * Everything that is kept is kept for a reason that is said, and doubt keeps.
 */
import type { AttemptRef, BeatReply } from "../../../schemas/messages/node.ts";

/** What is left of one attempt of this instance on this machine. */
export interface FoundRemains {
  readonly node: string;
  readonly ref: AttemptRef;
  /** `none`: a marker alone. */
  readonly container: "none" | "created" | "running" | "exited";
  /** Milliseconds since 1970: when the container, or else the marker, was made. */
  readonly madeAt: number;
  /** The ledger that granted it; null when that cannot be read any more. */
  readonly epoch: string | null;
}

/** A folder or file of an attempt (its secrets, its artifacts, half a marker). */
export interface FoundFolder {
  readonly node: string;
  readonly path: string;
  /** Task and attempt, as in the names of containers. */
  readonly of: string;
  readonly changedAt: number;
}

/** A container with the instance's label, and none that name an attempt. */
export interface FoundStray {
  readonly container: string;
  readonly madeAt: number;
}

export interface ReapInput {
  readonly found: {
    readonly remains: readonly FoundRemains[];
    readonly folders: readonly FoundFolder[];
    readonly strays: readonly FoundStray[];
  };
  /** The answer for each node that was asked about; a node without one cannot be judged. */
  readonly answers: ReadonlyMap<string, Pick<BeatReply, "as_of" | "desired" | "settled">>;
  readonly nowMs: number;
  /** What is younger stays: it may be in the making. */
  readonly graceMs: number;
  /** Whether what still runs may go where the ledger has never heard of it. */
  readonly running: boolean;
}

export type Reaped =
  | { readonly is: "attempt"; readonly remains: FoundRemains }
  | { readonly is: "folder"; readonly folder: FoundFolder }
  | { readonly is: "stray"; readonly stray: FoundStray };

export interface Verdict {
  readonly what: Reaped;
  readonly go: boolean;
  /** For people. */
  readonly why: string;
  readonly ageMs: number;
}

/** Decides about everything that was found, in the order found. */
export function planReap(input: ReapInput): Verdict[] {
  const { found, nowMs, graceMs } = input;
  const withRemains = new Set(found.remains.map((one) => `${one.node} ${nameOf(one.ref)}`));
  const judge = (what: Reaped, madeAt: number, of: Omit<Verdict, "what" | "ageMs">): Verdict => {
    const ageMs = nowMs - madeAt;
    if (!of.go || ageMs >= graceMs) return { what, ...of, ageMs };
    return { what, go: false, why: `younger than the grace of ${graceMs / 1000} s`, ageMs };
  };
  return [
    ...found.remains.map((one) => judge({ is: "attempt", remains: one }, one.madeAt, ofRemains(input, one))),
    ...found.folders.map((folder) =>
      judge({ is: "folder", folder }, folder.changedAt, ofFolder(input, folder, withRemains)),
    ),
    ...found.strays.map((stray) =>
      judge({ is: "stray", stray }, stray.madeAt, { go: false, why: "its labels name no attempt" }),
    ),
  ];
}

function ofRemains(
  { answers, running }: ReapInput,
  one: FoundRemains,
): { readonly go: boolean; readonly why: string } {
  const answer = answers.get(one.node);
  if (answer === undefined) return { go: false, why: "nobody could be asked about its node" };
  const { fence } = one.ref;
  if (answer.desired.some((wanted) => wanted.fence === fence))
    return { go: false, why: "the ledger has it on this node" };
  if (answer.settled.includes(fence)) return { go: true, why: "its attempt is over in the ledger" };
  // Erased tasks leave a tombstone: that the ledger which granted it does not know it is damage, or a young answer.
  if (one.epoch === answer.as_of.epoch)
    return { go: false, why: "this ledger granted it and does not show it; look with `cazi ledger verify`" };
  const why = "the ledger has never heard of its task";
  if (one.container === "running" && !running)
    return { go: false, why: `${why}, but it runs: \`--running\` takes it too` };
  return { go: true, why };
}

function ofFolder(
  { answers }: ReapInput,
  { node, of }: FoundFolder,
  withRemains: ReadonlySet<string>,
): { readonly go: boolean; readonly why: string } {
  if (withRemains.has(`${node} ${of}`)) return { go: false, why: "its attempt is here" };
  // One that waits for its image has nothing here but what it will need.
  if (answers.get(node)?.desired.some((wanted) => nameOf(wanted) === of))
    return { go: false, why: "the ledger has its attempt on this node" };
  return { go: true, why: "nothing of its attempt is here" };
}

/** As containers, folders and markers of an attempt are named. */
export function nameOf({ task, attempt }: AttemptRef): string {
  return `${task}-${attempt}`;
}
