import type { Msg } from "nats";
import { type GrantReply, type GrantRequest, grantRequest } from "../../../schemas/messages/node.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { mayNotBegin } from "../../domain/scheduling/fleet.ts";
import { isPlaced } from "../../domain/task/taskState.ts";
import type { Clock } from "../../kernel/clock.ts";
import { invariant } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { LiveFold } from "../../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";
import { childSpan, inSpan, type Tracer } from "../../kernel/tracing/tracer.ts";
import type { Identity } from "../identity/identity.ts";

export interface GrantPorts {
  readonly nats: Nats;
  readonly identity: Pick<Identity, "issue">;
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
  readonly nodes: Pick<NodeDirectory, "fleet">;
  readonly epoch: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly startLimitMs: number;
  readonly stopGraceMs: number;
  readonly tracer: Tracer;
}

/**
 * Answers `grant.<node>`: appends `claimed` and says yes. Nothing starts without this answer, so a stale offer
 * never starts anything. Replicas share the work; the compare-and-set decides between them.
 * @returns how to stop
 */
export function answerGrants(ports: GrantPorts): () => Promise<void> {
  const subscription = ports.nats.connection.subscribe(filters.grants, { queue: "transitions" });
  void (async () => {
    for await (const message of subscription) void answer(ports, message);
  })();
  return () => subscription.drain();
}

async function answer(ports: GrantPorts, message: Msg): Promise<void> {
  let reply: GrantReply;
  try {
    const request = grantRequest.parse(message.json());
    reply =
      message.subject === subjects.grant(request)
        ? await decideAnswer(ports, request)
        : no("not your subject");
  } catch (error) {
    ports.log.warn({ error, subject: message.subject }, "a grant could not be decided; the node asks again");
    reply = { answer: "later", reason: "the ledger did not answer" };
  }
  message.respond(JSON.stringify(reply));
}

function no(reason: string): GrantReply {
  return { answer: "no", reason };
}

async function decideAnswer(ports: GrantPorts, request: GrantRequest): Promise<GrantReply> {
  const { ledger, live, clock } = ports;
  const key = { tenant: request.tenant, task: request.task };
  const base = { at: clock.now(), id: newId(clock.now()), node: request.node, fence: request.fence } as const;
  const mayNot = mayNotBegin(request.node, ports.nodes.fleet().get(request.node), request.tenant);
  const message = request.decline ?? mayNot;
  if (message !== null) {
    const decline = { ...base, kind: "decline", message } as const;
    const done = await ledger.execute(key, decline, live.seen(request.task));
    // What had begun before the node was cordoned goes on: its offer cannot be declined any more.
    if (request.decline !== null || !isRefusal(done)) return no(message);
  }
  const command = { ...base, kind: "grant", attempt: request.attempt } as const;
  const span = childSpan(ports.tracer, "grant", {
    parent: live.tasks.get(request.task)?.state.traceparent ?? null,
    kind: "server",
    attributes: { "cazi.task": request.task, "cazi.node": request.node, "cazi.attempt": request.attempt },
  });
  const done = await inSpan(span, () =>
    ledger.execute(key, command, live.seen(request.task), undefined, span.traceparent),
  );
  if (isRefusal(done)) {
    return done.code === "STATE_BEHIND" ? { answer: "later", reason: done.message } : no(done.message);
  }
  const { state } = done;
  invariant(isPlaced(state), "what was granted is on a node");
  const spec = live.tasks.get(request.task)?.spec || (await specOf(ledger, key));
  if (spec === null) return no("the task has been erased");
  return {
    answer: "yes",
    spec,
    image: state.image,
    pull: state.pull,
    traceparent: span.traceparent ?? state.traceparent,
    tracestate: state.tracestate,
    workload_token: await ports.identity.issue(key, state),
    artifact_url: null,
    secrets: null,
    start_within_ms: ports.startLimitMs,
    stop_grace_ms: ports.stopGraceMs,
    as_of: { epoch: ports.epoch, seq: done.seq },
  };
}

async function specOf(ledger: TaskLedger, key: { tenant: string; task: string }): Promise<string | null> {
  const first = await ledger.first(key);
  return first?.body.type === "submitted" ? first.body.spec : null;
}
