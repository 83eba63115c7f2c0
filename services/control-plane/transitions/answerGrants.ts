import type { Msg } from "nats";
import { type GrantReply, type GrantRequest, grantRequest } from "../../../schemas/messages/node.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { isRefusal } from "../../domain/refusal.ts";
import { mayNotBegin } from "../../domain/scheduling/fleet.ts";
import { startWindowMs } from "../../domain/task/startDeadline.ts";
import { isPlaced } from "../../domain/task/taskState.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { ConnectionStore } from "../../kernel/connections/connectionStore.ts";
import { invariant } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { LiveFold } from "../../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";
import { childSpan, inSpan, type Tracer } from "../../kernel/tracing/tracer.ts";
import type { Identity } from "../identity/identity.ts";
import { previousOf } from "../stdin/previousOf.ts";
import { wantsStdin } from "../stdin/wantsStdin.ts";
import { connectionsIn, grantSecrets } from "./grantSecrets.ts";

export interface GrantPorts {
  readonly nats: Nats;
  readonly identity: Pick<Identity, "issue">;
  readonly connections: Pick<ConnectionStore, "open">;
  readonly artifactUrl?: string | null;
  readonly stdinUrl?: string | null;
  /** Of the model that is asked for scripts; null where none is. */
  readonly modelUrl?: string | null;
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
  const secrets = await grantSecrets(ports.connections, key.tenant, connectionsIn(spec));
  if (secrets !== null && "missing" in secrets) {
    const message = `connection ${secrets.missing} is not there any more; set it again, or submit the task without it`;
    return endUnstarted(ports, request, "connection_missing", message);
  }
  if (wantsStdin(spec) && (await previousOf(ledger, key)) === null)
    return endUnstarted(
      ports,
      request,
      "stdin_gone",
      "the task before, whose output it reads, has been erased",
    );
  return {
    answer: "yes",
    spec,
    image: state.image,
    pull: state.pull,
    traceparent: span.traceparent ?? state.traceparent,
    tracestate: state.tracestate,
    workload_token: await ports.identity.issue(key, state),
    artifact_url: ports.artifactUrl ?? null,
    stdin_url: ports.stdinUrl ?? null,
    model_url: ports.modelUrl ?? null,
    secrets,
    start_within_ms: startWindowMs(state, base.at, ports.startLimitMs),
    stop_grace_ms: ports.stopGraceMs,
    as_of: { epoch: ports.epoch, seq: done.seq },
  };
}

/** Nothing of it ran: the attempt ends here, by the report that its node would have sent. */
async function endUnstarted(
  { ledger, clock }: GrantPorts,
  { decline: _, ...of }: GrantRequest,
  reason: "connection_missing" | "stdin_gone",
  message: string,
): Promise<GrantReply> {
  const now = clock.now();
  const nothing = { stored: 0, dropped: 0 };
  const report = {
    ...of,
    revision: 1,
    image: null,
    pull: null,
    not_started: { reason, message, final: true, retry_after_ms: null },
    started_at: null,
    ended: null,
    logs: { stdout: nothing, stderr: nothing },
  } as const;
  const command = { kind: "report", at: now, id: newId(now), report, jitter: 0 } as const;
  await ledger.execute({ tenant: of.tenant, task: of.task }, command);
  return no(message);
}

async function specOf(ledger: TaskLedger, key: { tenant: string; task: string }): Promise<string | null> {
  const first = await ledger.first(key);
  return first?.body.type === "submitted" ? first.body.spec : null;
}
