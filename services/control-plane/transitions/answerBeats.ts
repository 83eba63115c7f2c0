import type { Msg } from "nats";
import { type Beat, type BeatReply, beat, type ObservedAttempt } from "../../../schemas/messages/node.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { isPlaced, type PlacedTask } from "../../domain/task/taskState.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { LiveFold } from "../../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";

export interface BeatPorts {
  readonly nats: Nats;
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
  readonly nodes: Pick<NodeDirectory, "said">;
  readonly epoch: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly claimLimitMs: number;
}

/** An offer that was not taken for so long may have died with the agent that fetched it: the beat repeats it. */
const OFFER_UNTAKEN_MS = 2_000;
/** Ledger reads for one beat's unknown attempts; the rest waits for the next beat. */
const LOOKUPS_MAX = 200;

/**
 * Answers `beat.<node>` from the fold: what should run there, and which of the observed attempts are settled.
 * A process that has not caught up stays silent, so that the node asks again rather than act on half a picture.
 * @returns how to stop
 */
export function answerBeats(ports: BeatPorts): () => Promise<void> {
  const subscription = ports.nats.connection.subscribe(filters.beats, { queue: "transitions" });
  void (async () => {
    for await (const message of subscription) if (ports.live.caughtUp()) void answer(ports, message);
  })();
  return () => subscription.drain();
}

async function answer(ports: BeatPorts, message: Msg): Promise<void> {
  try {
    const asked = beat.parse(message.json());
    // What is on another node, and its fences, are that node's alone to know.
    if (message.subject !== subjects.beat(asked)) return;
    message.respond(JSON.stringify(await replyTo(ports, asked)));
  } catch (error) {
    ports.log.warn({ error, subject: message.subject }, "a beat could not be answered; the node asks again");
  }
}

async function replyTo(ports: BeatPorts, { node, observed }: Beat): Promise<BeatReply> {
  const { live, epoch } = ports;
  const as_of = { epoch, seq: live.tasks.position };
  const desired = [...live.tasks.on(node)]
    .filter(({ state }) => state.status !== "scheduled" || isUntaken(ports, state))
    .map(({ tenant, task, state }) => {
      return { tenant, task, attempt: state.attempt, fence: state.fence, cancel: state.cancel !== null };
    });
  const registered_at = ports.nodes.said(node)?.registered_at ?? null;
  return { as_of, desired, settled: await settledOf(ports, observed), registered_at };
}

/** An offer's due time is its making plus the claim limit. */
function isUntaken({ clock, claimLimitMs }: BeatPorts, state: PlacedTask): boolean {
  return clock.now() - ((state.due_at ?? 0) - claimLimitMs) > OFFER_UNTAKEN_MS;
}

/**
 * INV-SETTLED: a fence is called settled only when the ledger shows its attempt over. That this fold does not
 * know a task says nothing: it may be older than what it remembers, so the ledger is asked.
 */
async function settledOf(ports: BeatPorts, observed: readonly ObservedAttempt[]): Promise<string[]> {
  const settled: string[] = [];
  let lookups = 0;
  for (const one of observed) {
    const live = ports.live.tasks.get(one.task);
    if (live) {
      if (
        one.attempt < live.state.attempt ||
        (live.state.status === "pending" && one.attempt === live.state.attempt)
      ) {
        settled.push(one.fence);
      }
    } else if (ports.live.tasks.hasEnded(one.task)) {
      settled.push(one.fence);
    } else if (++lookups <= LOOKUPS_MAX && (await isOver(ports.ledger, one))) {
      settled.push(one.fence);
    }
  }
  return settled;
}

async function isOver(ledger: TaskLedger, one: ObservedAttempt): Promise<boolean> {
  const { state } = await ledger.load({ tenant: one.tenant, task: one.task });
  // A task nobody has ever heard of is somebody else's: its container is not ours to remove.
  if (state.status === "absent") return false;
  return !isPlaced(state) || state.fence !== one.fence;
}
