import { headers, type JsMsg } from "nats";
import { report as reportSchema } from "../../../schemas/messages/node.ts";
import { transitionsConsumer } from "../../../streams/consumers.ts";
import { subjects } from "../../../streams/subjects.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { Clock } from "../../kernel/clock.ts";
import { newId } from "../../kernel/ids.ts";
import type { LiveFold } from "../../kernel/ledger/liveFold.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { consumeForEver } from "../../kernel/nats/consumeForEver.ts";
import { serialByKey } from "./serialByKey.ts";

export interface ReportPorts {
  readonly nats: Nats;
  readonly ledger: TaskLedger;
  readonly live: LiveFold;
  readonly clock: Clock;
  readonly random: () => number;
  readonly log: Log;
}

const REDELIVER_MS = 1_000;

/**
 * Turns reports into events. A report is acknowledged only after the append is known, so one that dies with
 * this process comes again; being cumulative it then adds only what is missing.
 * @returns how to stop: what is being handled is finished first
 */
export function takeReports(ports: ReportPorts): () => Promise<void> {
  const serial = serialByKey();
  return consumeForEver(ports, transitionsConsumer, (message) =>
    serial(message.subject, async () => {
      try {
        await take(ports, message);
      } catch (error) {
        ports.log.warn(
          { error, subject: message.subject },
          "a report could not be recorded yet; it comes again",
        );
        message.nak(REDELIVER_MS);
      }
    }),
  );
}

async function take(ports: ReportPorts, message: JsMsg): Promise<void> {
  const { ledger, live, clock } = ports;
  const read = reportSchema.safeParse(parseJson(message));
  if (!read.success) return putAside(ports, message, read.error.message);
  const report = read.data;
  if (message.subject !== subjects.report(report))
    return putAside(ports, message, "not the subject of its node and task");
  const now = clock.now();
  const command = { kind: "report", at: now, id: newId(now), report, jitter: ports.random() } as const;
  const done = await ledger.execute(
    { tenant: report.tenant, task: report.task },
    command,
    live.seen(report.task),
  );
  if (isRefusal(done)) {
    // The leader does not know the attempt that this is of: its own view must be newer than what we were shown.
    if (done.code === "STATE_BEHIND") return message.nak(REDELIVER_MS);
    ports.log.warn(
      { code: done.code, task: report.task, fence: report.fence, node: report.node },
      "a stale report moved nothing",
    );
  }
  message.ack();
  // Whoever cancelled it waits for its container to be gone, which goes once its node hears that this is settled.
  if (report.ended?.stopped_by === "cancel")
    ports.nats.connection.publish(subjects.control({ node: report.node }));
}

function parseJson(message: JsMsg): unknown {
  try {
    return message.json();
  } catch {
    return null;
  }
}

/** What can never be understood is kept where an operator sees it, and not delivered again. */
async function putAside(ports: ReportPorts, message: JsMsg, reason: string): Promise<void> {
  const why = headers();
  why.set("Cazi-Subject", message.subject);
  why.set("Cazi-Reason", reason.replace(/[^ -~]/g, " ").slice(0, 500));
  await ports.nats.js.publish(subjects.deadLetter({ stream: "reports" }), message.data, { headers: why });
  ports.log.error(
    { subject: message.subject, reason },
    "a report cannot be understood; it is in DEADLETTERS",
  );
  message.term();
}
