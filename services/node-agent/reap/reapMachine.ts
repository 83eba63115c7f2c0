/** What `cazi reap` does: looks, asks the control plane, and takes away what the plan says. */
import { rm } from "node:fs/promises";
import { join } from "node:path";
import type Docker from "dockerode";
import type { AttemptRef, BeatReply } from "../../../schemas/messages/node.ts";
import type { Clock } from "../../kernel/clock.ts";
import { removeTree } from "../artifacts/artifactFolders.ts";
import { callEngine, unreachable } from "../runtimes/docker/engineErrors.ts";
import { secretsRoots } from "../runtimes/docker/secretFolders.ts";
import { lookAround, type ReapGround } from "./lookAround.ts";
import { nameOf, planReap, type Reaped, type Verdict } from "./planReap.ts";

/** Below the number of attempts that the control plane looks up in the ledger for one beat. */
const ASKED_AT_ONCE = 100;
const STOP_GRACE_SECONDS = 10;

export interface ReapOptions extends ReapGround {
  readonly clock: Clock;
  /** One question of a beat; null where these credentials cannot ask about that node. */
  readonly ask: (node: string, refs: readonly AttemptRef[]) => Promise<BeatReply | null>;
  readonly graceMs: number;
  readonly running: boolean;
  readonly dryRun: boolean;
}

/** A verdict, and what became of it. */
export interface Outcome extends Verdict {
  readonly removed: boolean;
  /** Why it is still there though it was to go; null otherwise. */
  readonly failed: string | null;
}

/**
 * Looks first and asks then, so that the answer covers what was seen. May be done again, and beside a running agent:
 * each thing that is gone already is gone.
 * @throws Retryable `ENGINE_UNREACHABLE`, and what `ask` throws
 */
export async function reapMachine(options: ReapOptions): Promise<Outcome[]> {
  const found = await lookAround(options);
  const nodes = new Map<string, AttemptRef[]>();
  for (const { node, ref } of found.remains) nodes.set(node, [...(nodes.get(node) ?? []), ref]);
  const answers = new Map<string, BeatReply>();
  for (const [node, refs] of nodes) {
    const answer = await askAll(options, node, refs);
    if (answer !== null) answers.set(node, answer);
  }
  const { clock, graceMs, running, dryRun } = options;
  const outcomes: Outcome[] = [];
  for (const verdict of planReap({ found, answers, nowMs: clock.now(), graceMs, running })) {
    const failed = verdict.go && !dryRun ? await takeAway(options, verdict.what) : null;
    outcomes.push({ ...verdict, removed: verdict.go && !dryRun && failed === null, failed });
  }
  return outcomes;
}

/** One answer of several: what the oldest does not know of is left alone. */
async function askAll(
  { ask }: ReapOptions,
  node: string,
  refs: readonly AttemptRef[],
): Promise<BeatReply | null> {
  const answers: BeatReply[] = [];
  for (let at = 0; at < refs.length; at += ASKED_AT_ONCE) {
    const answer = await ask(node, refs.slice(at, at + ASKED_AT_ONCE));
    if (answer === null) return null;
    answers.push(answer);
  }
  return {
    ...answers[0]!,
    desired: answers.flatMap(({ desired }) => desired),
    settled: answers.flatMap(({ settled }) => settled),
  };
}

/** @returns why it is still there; null when it is gone */
async function takeAway(options: ReapOptions, what: Reaped): Promise<string | null> {
  try {
    if (what.is === "folder") await removeTree(what.folder.path);
    if (what.is === "attempt") await takeAttempt(options, what.remains);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
}

/** In the agent's own order: a container without a marker tells its own end, a marker without one reads as lost. */
async function takeAttempt(
  { docker, instance, nodesFolder }: ReapOptions,
  { node, ref, container }: Extract<Reaped, { is: "attempt" }>["remains"],
): Promise<void> {
  const folder = join(nodesFolder, node);
  await rm(join(folder, "markers", `${nameOf(ref)}.json`), { force: true });
  if (container !== "none") await removeContainer(docker, `cazi-${instance}-${nameOf(ref)}`, ref.fence);
  for (const root of [join(folder, "artifacts"), ...secretsRoots(folder)])
    await removeTree(join(root, nameOf(ref)));
}

/** By its name, and only while that is still of this fence. */
async function removeContainer(docker: Docker, name: string, fence: string): Promise<void> {
  const found = await callEngine(() => docker.getContainer(name).inspect());
  if (!found.ok && found.status === 404) return;
  if (!found.ok) throw unreachable(new Error(found.message));
  if (found.value.Config.Labels["cazi.fence"] !== fence) return;
  const container = docker.getContainer(found.value.Id);
  if (found.value.State.Running) await callEngine(() => container.stop({ t: STOP_GRACE_SECONDS }));
  const gone = await callEngine(() => container.remove({ force: true, v: true }));
  // 404: gone already. 409: being removed by the agent.
  if (!gone.ok && gone.status !== 404 && gone.status !== 409) throw unreachable(new Error(gone.message));
}
