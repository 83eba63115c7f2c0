import {
  type ConsumerMessages,
  DeliverPolicy,
  headers,
  type JetStreamClient,
  type JsMsg,
  type NatsConnection,
  type PubAck,
} from "nats";
import { type AttemptRef, type GrantReply, logHeaders } from "../../../schemas/messages/node.ts";
import { decodeTaskEvent } from "../../../schemas/taskEvents.ts";
import { newId } from "../../../services/kernel/ids.ts";
import { claimsConsumer, transitionsConsumer } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import { DEFAULT_SHARD, ledgerStream } from "../../../streams/streams.ts";
import { parseLedgerSubject, subjects } from "../../../streams/subjects.ts";
import { prepareBareAppends, type startBareServer } from "../throughput/bareAppends.ts";
import { connectBeside } from "../throughput/driveTasks.ts";
import type { LedgerEvent } from "../throughput/readEvents.ts";

const node = "bare";
const tenant = "default";
const stream = ledgerStream(DEFAULT_SHARD);
const pullExpiresMs = 5_000;
const chunk = Buffer.from("hi\n");

export interface BareTasks {
  /** One task's messages from its submit on. @returns its subject, when its last event is stored */
  run(): Promise<string>;
  stop(): Promise<void>;
}

/** The bodies of a real task's messages, in order, and what of it the others carry. */
interface Bodies {
  readonly events: readonly Uint8Array[];
  readonly spec: string;
  readonly ref: AttemptRef;
}

/**
 * The control: the very appends, publishes, deliveries and requests of one task from its submit on, each waiting for
 * what the product's waits for, with bodies of the same sizes; api, scheduler, transitions and node on a connection
 * each, the client library as it comes, no rule decided and nothing checked.
 */
export async function openBareTasks(
  server: Awaited<ReturnType<typeof startBareServer>>,
  history: readonly LedgerEvent[],
): Promise<BareTasks> {
  const bodies = bodiesOf(history);
  const connect = () => connectBeside(server);
  const [api, scheduler, transitions, agent] = await Promise.all([
    connect(),
    connect(),
    connect(),
    connect(),
  ]);
  await prepareBareAppends(api);
  const reading: ConsumerMessages[] = [await schedule(scheduler, bodies), await runOffers(agent, bodies)];
  const { ended, consumers } = await decideOn(transitions, bodies);
  return {
    run: async () => {
      const task = newId(Date.now());
      const done = ended(task);
      await append(api.jetstream(), task, { body: bodies.events[0]!, expected: 0 });
      await done;
      return ledgerSubject(task);
    },
    stop: async () => {
      await Promise.all([...reading, ...consumers].map((one) => one.close()));
      await Promise.all([api, scheduler, transitions, agent].map((one) => one.close()));
    },
  };
}

/** Follows the ledger; appends `scheduled` behind `submitted`, and then offers the attempt. */
async function schedule(connection: NatsConnection, { events, ref }: Bodies): Promise<ConsumerMessages> {
  const js = connection.jetstream();
  return await consume(js, stream, { deliver_policy: DeliverPolicy.New }, async (message) => {
    if (decodeTaskEvent(message.data).body.type !== "submitted") return;
    const task = taskOf(message);
    await append(js, task, { body: events[1]!, expected: message.seq });
    const claim = JSON.stringify({ ...ref, task });
    await js.publish(subjects.claim({ node, task }), claim, { msgID: `1-${task}` });
  });
}

/** Grants and reports. `ended` resolves when a task's last event is stored */
async function decideOn(connection: NatsConnection, { events, spec }: Bodies) {
  const js = connection.jetstream();
  const jsm = await connection.jetstreamManager();
  const waiting = new Map<string, () => void>();
  const known = new Map<string, number>();
  // As the product: on what was seen of the task, and on what the leader has when that was too old.
  const appendNext = async (task: string, body: Uint8Array) => {
    const seen = known.get(task);
    if (seen !== undefined) {
      const done = await append(js, task, { body, expected: seen }).catch(() => null);
      if (done !== null) return known.set(task, done.seq).get(task)!;
    }
    const { seq } = await jsm.streams.getMessage(stream, { last_by_subj: ledgerSubject(task) });
    const done = await append(js, task, { body, expected: seq });
    return known.set(task, done.seq).get(task)!;
  };
  // The product knows a task's newest sequence by following the ledger, and so does this.
  const following = await consume(js, stream, { deliver_policy: DeliverPolicy.New }, async (message) => {
    const task = taskOf(message);
    known.set(task, Math.max(message.seq, known.get(task) ?? 0));
  });
  connection.subscribe(subjects.grant({ node }), {
    callback: async (_error, request) => {
      const { task } = JSON.parse(request.string()) as AttemptRef;
      request.respond(JSON.stringify(grant(spec, await appendNext(task, events[2]!))));
    },
  });
  await ensureConsumer(jsm, transitionsConsumer);
  const reports = await consume(js, "REPORTS", transitionsConsumer.durable, async (message) => {
    const { task } = message.json<AttemptRef>();
    for (const body of events.slice(3)) await appendNext(task, body);
    known.delete(task);
    message.ack();
    waiting.get(task)?.();
    waiting.delete(task);
  });
  const ended = (task: string) => new Promise<void>((resolve) => waiting.set(task, resolve));
  return { ended, consumers: [following, reports] };
}

/** Takes offers, asks for each grant, stores the line of output, and reports the end. */
async function runOffers(connection: NatsConnection, { ref }: Bodies): Promise<ConsumerMessages> {
  const js = connection.jetstream();
  await ensureConsumer(await connection.jetstreamManager(), claimsConsumer(node));
  return await consume(js, "CLAIMS", node, async (message) => {
    const { task } = message.json<AttemptRef>();
    const request = JSON.stringify({ ...ref, task, node, decline: null });
    await connection.request(subjects.grant({ node }), request, { timeout: pullExpiresMs });
    message.ack();
    const own = headers();
    own.set(logHeaders.offset, "0");
    own.set(logHeaders.at, String(Date.now()));
    const log = subjects.log({ node, task, attempt: 1, stream: "stdout" });
    await js.publish(log, chunk, { headers: own, msgID: `${task}.1.stdout.0` });
    await js.publish(subjects.report({ node, task }), JSON.stringify(report({ ...ref, task })));
  });
}

function append(
  js: JetStreamClient,
  task: string,
  of: { readonly body: Uint8Array; readonly expected: number },
): Promise<PubAck> {
  return js.publish(ledgerSubject(task), of.body, { expect: { lastSubjectSequence: of.expected } });
}

/** Many at once, as the product handles them. */
async function consume(
  js: JetStreamClient,
  of: string,
  consumer: string | { readonly deliver_policy: DeliverPolicy },
  handle: (message: JsMsg) => Promise<void>,
): Promise<ConsumerMessages> {
  const found =
    typeof consumer === "string"
      ? await js.consumers.get(of, consumer)
      : await js.consumers.get(of, { ...consumer });
  const messages = await found.consume({ max_messages: 1_000, expires: pullExpiresMs });
  void (async () => {
    for await (const message of messages) void handle(message);
  })();
  return messages;
}

function bodiesOf(history: readonly LedgerEvent[]): Bodies {
  const decoded = history.map(({ bytes }) => decodeTaskEvent(bytes));
  const [first, second] = decoded;
  if (first?.body.type !== "submitted" || second?.body.type !== "scheduled" || decoded.length < 5)
    throw new Error(`not a whole history: ${history.map(({ type }) => type).join(", ")}`);
  const ref = { tenant, task: first.task, attempt: 1, fence: `1-${second.id}` };
  return { events: history.map(({ bytes }) => bytes), spec: first.body.spec, ref };
}

function ledgerSubject(task: string): string {
  return subjects.ledger({ tenant, kind: "task", id: task });
}

function taskOf(message: JsMsg): string {
  return parseLedgerSubject(message.subject)!.id;
}

function grant(spec: string, seq: number): GrantReply {
  const as_of = { epoch: new Date().toISOString(), seq };
  const nothing = {
    image: null,
    pull: null,
    traceparent: null,
    tracestate: null,
    workload_token: null,
    artifact_url: null,
    stdin_url: null,
    model_url: null,
    secrets: null,
  };
  return { answer: "yes", spec, ...nothing, start_within_ms: 600_000, stop_grace_ms: 10_000, as_of };
}

function report(ref: AttemptRef) {
  const at = Date.now();
  return {
    ...ref,
    node,
    revision: 1_000_001,
    image: { ref: "cazi/toolbox:latest", repo_digest: null, image_id: null },
    not_started: null,
    started_at: at,
    ended: {
      ...{ exit_code: 0, signal: null, oom_killed: false, stopped_by: null, failure: null },
      ...{ finished_at: at, message: null },
    },
    logs: { stdout: { stored: chunk.length, dropped: 0 }, stderr: { stored: 0, dropped: 0 } },
  };
}
