import { join } from "node:path";
import type { AttemptRef, BeatReply } from "../../../schemas/messages/node.ts";
import { Retryable } from "../../kernel/errors.ts";
import { createLog } from "../../kernel/log.ts";
import { connectNats, type Nats } from "../../kernel/nats/connectNats.ts";
import { credentialFacts } from "../../kernel/nats/readCredentials.ts";
import { natsTls } from "../../kernel/nats/tls.ts";
import { natsControlPlane } from "../../node-agent/adapters/natsControlPlane.ts";
import { type Outcome, reapMachine } from "../../node-agent/reap/reapMachine.ts";
import { openDockerClient } from "../../node-agent/runtimes/docker/dockerClient.ts";
import type { CliContext } from "../context.ts";
import { natsOf } from "../dependencies.ts";
import { exitCodes } from "../exitCode.ts";
import { type Format, render } from "../output/render.ts";
import { type Column, table } from "../output/table.ts";
import { keptInstance } from "./stopLeftContainers.ts";

const FIRST_CONNECTION_MS = 10_000;

export interface ReapFlags {
  readonly dryRun?: true;
  readonly grace: number;
  readonly allNodes?: true;
  readonly running?: true;
  readonly output: Format;
}

/**
 * Takes away what this instance has left on this machine and that no agent takes away: run where the node is, with the
 * settings of its agent.
 * @returns 1 when something that was to go is still there
 * @throws Rejection `NOT_RUNNING`; Retryable `NATS_UNAVAILABLE`, `ENGINE_UNREACHABLE`, `TIMED_OUT`
 */
export async function reap(context: CliContext, flags: ReapFlags): Promise<number> {
  const { config } = context.settings();
  const instance = config.instance || keptInstance(config.home);
  const outcomes = instance === null ? [] : await reapInstance(context, instance, flags);
  const items = outcomes.map(toItem);
  const dry_run = flags.dryRun === true;
  const forPeople = () => (items.length === 0 ? "" : table(columns, items));
  await context.output.data(
    await render(flags.output, { value: { dry_run, items }, items, table: forPeople }),
  );
  await context.output.message(summary(outcomes, dry_run));
  return outcomes.some((one) => one.failed !== null) ? exitCodes.failure : exitCodes.ok;
}

async function reapInstance(context: CliContext, instance: string, flags: ReapFlags): Promise<Outcome[]> {
  const { config } = context.settings();
  const { url, credsFile } = natsOf(config);
  const own = credsFile === "" ? null : credentialFacts(credsFile).node;
  const nats = await connectNats({
    url,
    credsFile: credsFile || null,
    tls: natsTls(config),
    name: "cazi reap",
    firstWaitMs: FIRST_CONNECTION_MS,
  });
  try {
    return await reapMachine({
      docker: await openDockerClient(config.dockerHost),
      instance,
      nodesFolder: join(config.home, "node"),
      node: flags.allNodes ? null : (own ?? config.node),
      log: createLog(config.logLevel, "reap"),
      clock: context.clock,
      ask: (node, refs) => (own === null || own === node ? ask(nats, node, refs) : Promise.resolve(null)),
      graceMs: flags.grace * 1000,
      running: flags.running === true,
      dryRun: flags.dryRun === true,
    });
  } finally {
    await nats.close();
  }
}

/** The question that an agent's beat asks, with the same answer. It is no sign of life. */
async function ask(nats: Nats, node: string, refs: readonly AttemptRef[]): Promise<BeatReply> {
  try {
    const observed = refs.map((ref) => ({ ...ref, state: "held" as const }));
    return await natsControlPlane(nats, node).beat({ node, observed, partial: true });
  } catch (cause) {
    throw new Retryable("TIMED_OUT", `no control plane answers about node ${node}`, {
      cause,
      hint: "Nothing was taken away: only the ledger can say what is over. Start it, and run the command again.",
    });
  }
}

interface Item {
  readonly what: "container" | "marker" | "folder";
  readonly node: string | null;
  readonly task: string | null;
  readonly attempt: number | null;
  /** The state of a container, the path of a folder. */
  readonly detail: string;
  readonly age_seconds: number;
  readonly does: "remove" | "keep";
  readonly why: string;
  readonly removed: boolean;
  readonly error: string | null;
}

const columns: readonly Column<Item>[] = [
  { title: "DOES", cell: (one) => (one.removed ? "removed" : one.error === null ? one.does : "failed") },
  { title: "WHAT", cell: (one) => one.what },
  { title: "NODE", cell: (one) => one.node },
  { title: "TASK", cell: (one) => one.task },
  { title: "ATTEMPT", cell: (one) => one.attempt },
  { title: "AGE", cell: (one) => `${one.age_seconds} s` },
  { title: "IS", cell: (one) => one.detail },
  { title: "WHY", cell: (one) => one.error ?? one.why },
];

function toItem({ what, go, why, ageMs, removed, failed }: Outcome): Item {
  const rest = {
    age_seconds: Math.floor(ageMs / 1000),
    does: go ? ("remove" as const) : ("keep" as const),
    why,
    removed,
    error: failed,
  };
  const nobody = { node: null, task: null, attempt: null };
  if (what.is === "stray") return { what: "container", ...nobody, detail: what.stray.container, ...rest };
  if (what.is === "folder")
    return { what: "folder", ...nobody, node: what.folder.node, detail: what.folder.path, ...rest };
  const { node, ref, container } = what.remains;
  const { task, attempt } = ref;
  return container === "none"
    ? { what: "marker", node, task, attempt, detail: "no container", ...rest }
    : { what: "container", node, task, attempt, detail: container, ...rest };
}

function summary(outcomes: readonly Outcome[], dryRun: boolean): string {
  const go = outcomes.filter((one) => one.go).length;
  const kept = outcomes.length - go;
  if (dryRun) return `${go} would be removed, ${kept} kept`;
  const failed = outcomes.filter((one) => one.failed !== null).length;
  return `${go - failed} removed, ${kept} kept${failed === 0 ? "" : `, ${failed} could not be removed`}`;
}
