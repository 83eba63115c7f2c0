import { setTimeout as pause } from "node:timers/promises";
import type { Ground } from "../../../deploy/compose/roles/role.ts";
import { encodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { newId } from "../../../services/kernel/ids.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { subjects } from "../../../streams/subjects.ts";
import { groundOnNats } from "../../support/groundOnNats.ts";
import { bodies, ledgerHistory, lifeOf } from "../../support/ledgerHistory.ts";
import { submitCommand } from "../../support/ledgerOnNats.ts";
import { startTestNats, type TestNats } from "../../support/withNats.ts";
import { alone, type BenchResult, compared } from "../figures.ts";
import { residentBytesOf } from "./residentBytes.ts";

export interface HistoryOptions {
  readonly rounds: number;
  /** Finished tasks in the ledger, each with a life of five events and a ttl that is far ahead. */
  readonly tasks: number;
}

const SUBMITS = 200;
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
      const [value, control] = [await takeOver(full), await takeOver(empty)];
      takeovers.push({ value: value.foldMs, control: control.foldMs });
      submits.push({ value: value.submitMs, control: control.submitMs });
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

async function takeOver(server: TestNats): Promise<{ foldMs: number; submitMs: number }> {
  const began = performance.now();
  const ground = await groundOnNats(server);
  try {
    while (!ground.live.caughtUp()) await pause(1);
    const foldMs = performance.now() - began;
    while (!ground.live.ended.isWhole) await pause(1);
    const times: number[] = [];
    for (let n = 0; n < SUBMITS; n++) {
      const from = performance.now();
      const key = { tenant: "default", task: newId(ground.clock.now()) };
      await ground.ledger.execute(key, submitCommand());
      await ground.ledger.execute(key, {
        kind: "cancel",
        at: ground.clock.now(),
        id: newId(ground.clock.now()),
        who: submitCommand().who,
        reason: null,
      });
      times.push(performance.now() - from);
    }
    times.sort((a, b) => a - b);
    return { foldMs, submitMs: times[SUBMITS / 2]! };
  } finally {
    await ground.stop();
  }
}
