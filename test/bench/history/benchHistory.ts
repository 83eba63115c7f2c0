import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Ground } from "../../../deploy/compose/roles/role.ts";
import { encodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { newId } from "../../../services/kernel/ids.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { groundOnNats } from "../../support/groundOnNats.ts";
import { bodies, ledgerHistory, lifeOf } from "../../support/ledgerHistory.ts";
import { startTestNats, type TestNats } from "../../support/withNats.ts";
import { alone, type BenchResult, compared, median } from "../figures.ts";
import { residentBytesOf } from "./residentBytes.ts";

export interface HistoryOptions {
  readonly rounds: number;
  /** Finished tasks in the ledger, each with a life of five events and a ttl that is far ahead. */
  readonly tasks: number;
}

const SUBMITS = 400;
/** Submits of each process that are not counted: the first hundreds are compiled while they run. */
const WARM_UP = 200;
const ANSWER_MS = 60_000;
const AHEAD_MS = 30 * 86_400_000;
/** The client buffers what it has not sent: more at once only takes memory. */
const FLUSH_EVERY = 20_000;

/**
 * What finished tasks cost those that come after: a submit's append, a start of a process up to its fold of the ledger
 * being whole, and the server's memory; beside an empty ledger on a server of the same kind, in turns.
 */
export async function benchHistory(options: HistoryOptions): Promise<BenchResult> {
  const [full, empty] = [await startTestNats(), await startTestNats()];
  try {
    const before = await residentBytesOf(full);
    await fill(full, options.tasks);
    const bytesATask = ((await residentBytesOf(full)) - before) / options.tasks;
    const takeovers: { value: number; control: number }[] = [];
    const submits: { value: number; control: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const [left, right] = [await startSide(full), await startSide(empty)];
      takeovers.push({ value: left.foldMs, control: right.foldMs });
      submits.push(await submitInTurns(left, right));
      await Promise.all([stopSide(left), stopSide(right)]);
    }
    const beside = { controlName: "the same, empty ledger", unit: "ms" };
    const of = `beside ${options.tasks} finished tasks`;
    return {
      figures: [
        compared({ ...beside, name: `append of a submit ${of}`, target: atMost(1.2), rounds: submits }),
        compared({ ...beside, name: `start to whole fold ${of}`, target: atMost(1.5), rounds: takeovers }),
        alone("memory of the NATS server", "bytes a finished task", [bytesATask], {
          of: "value",
          is: "at most",
          value: 1_024,
        }),
      ],
      details: {},
    };
  } finally {
    await Promise.all([full.stop(), empty.stop()]);
  }
}

const atMost = (value: number) => ({ of: "ratio", is: "at most", value }) as const;

async function fill(server: TestNats, tasks: number): Promise<void> {
  const ground = await groundOnNats(server);
  try {
    await append(ground, tasks);
    while (ground.live.tasks.position < tasks * 5) await pause(50);
    await ground.live.store();
  } finally {
    await ground.stop();
  }
}

/** One life, encoded again for each task. */
async function append({ nats, clock }: Ground, tasks: number): Promise<void> {
  const limits = { timeout_ms: 60_000, max_retries: 0, ttl_ms: AHEAD_MS, start_within_ms: null, sinks: 0 };
  const life = ledgerHistory().append(
    "t",
    bodies.submitted({}, { limits }),
    ...lifeOf("1.a").slice(1),
  ).events;
  for (let n = 0; n < tasks; n++) {
    const task = newId(clock.now());
    const subject = subjects.ledger({ tenant: "default", kind: "task", id: task });
    for (const { event } of life) {
      const state = "due_at" in event.state && event.state.due_at !== null;
      const due = state ? { ...event.state, due_at: clock.now() + AHEAD_MS } : event.state;
      const mine = { ...event, task, id: newId(clock.now()), state: due as typeof event.state };
      nats.connection.publish(subject, encodeTaskEvent(mine));
    }
    if (n % FLUSH_EVERY === 0) await nats.connection.flush();
  }
  await nats.connection.flush();
  while ((await nats.jsm.streams.info(ledgerStream(DEFAULT_SHARD))).state.last_seq < tasks * 5)
    await pause(50);
}

interface Side {
  readonly process: ChildProcess;
  readonly foldMs: number;
}

/** A process of its own on this server, its fold whole; see submitter.ts. */
async function startSide({ url, credsFile }: TestNats): Promise<Side> {
  const child = fork(fileURLToPath(new URL("./submitter.ts", import.meta.url)), [url, credsFile]);
  return { process: child, foldMs: await nextFigure(child) };
}

async function stopSide({ process: child }: Side): Promise<void> {
  const gone = once(child, "exit");
  child.disconnect();
  await gone;
}

/** The two in turns, whoever was second goes first: what else the machine does meets both. */
async function submitInTurns(full: Side, empty: Side): Promise<{ value: number; control: number }> {
  const [ofFull, ofEmpty] = [[] as number[], [] as number[]];
  for (let n = 0; n < WARM_UP + SUBMITS; n++) {
    const turns = [
      { side: full, times: ofFull },
      { side: empty, times: ofEmpty },
    ];
    for (const { side, times } of n % 2 === 0 ? turns : turns.reverse()) {
      side.process.send("submit");
      const took = await nextFigure(side.process);
      if (n >= WARM_UP) times.push(took);
    }
  }
  return { value: median(ofFull), control: median(ofEmpty) };
}

async function nextFigure(child: ChildProcess): Promise<number> {
  const [figure] = await once(child, "message", { signal: AbortSignal.timeout(ANSWER_MS) });
  return Number(figure);
}
