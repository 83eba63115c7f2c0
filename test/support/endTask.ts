/** Tasks that are over, with what they printed, without a node: as its messages would leave them. */
import { headers } from "nats";
import { logHeaders } from "../../schemas/messages/node.ts";
import { isRefusal } from "../../services/domain/refusal.ts";
import { readSpec } from "../../services/domain/spec/readSpec.ts";
import { limitsOf } from "../../services/domain/task/limitsOf.ts";
import type { TaskCommand } from "../../services/domain/task/taskCommand.ts";
import { canonicalSpec } from "../../services/kernel/canonicalSpec.ts";
import { newId } from "../../services/kernel/ids.ts";
import type { TaskLedger } from "../../services/kernel/ledger/taskLedger.ts";
import type { Nats } from "../../services/kernel/nats/connectNats.ts";
import { subjects } from "../../streams/subjects.ts";
import { submitCommand } from "./ledgerOnNats.ts";

type Wish = TaskCommand extends infer C ? (C extends unknown ? Omit<C, "at" | "id"> : never) : never;

const NODE = "local";

/** Submits a task of this spec and lets it print and end. @returns its id */
export async function endTask(
  { nats, ledger }: { readonly nats: Nats; readonly ledger: TaskLedger },
  of: {
    readonly spec: Readonly<Record<string, unknown>>;
    readonly tenant?: string;
    readonly stdout?: string | Buffer;
    readonly exitCode?: number;
    /** Bytes that its end counts and LOGS does not have. */
    readonly late?: number;
  },
): Promise<{ readonly tenant: string; readonly task: string; readonly finishedAt: number }> {
  const read = readSpec({ image: "cazi/toolbox:latest", ...of.spec });
  if (isRefusal(read)) throw new Error(`${read.message} ${JSON.stringify(read.details)}`);
  const { json, digest } = canonicalSpec(read.spec);
  const key = { tenant: of.tenant ?? "default", task: newId(Date.now()) };
  const act = async (wish: Wish) => {
    const at = Date.now();
    const done = await ledger.execute(key, { ...wish, at, id: newId(at) } as TaskCommand);
    if (isRefusal(done)) throw new Error(`${wish.kind}: ${done.message}`);
    return done.state;
  };
  const { at: _at, id: _id, ...submit } = submitCommand(json);
  await act({ ...submit, spec_digest: digest, limits: limitsOf(read.spec) });
  const placed = await act({ kind: "schedule", node: NODE });
  const fence = "fence" in placed ? placed.fence! : "";
  await act({ kind: "grant", node: NODE, fence, attempt: 1 });
  const bytes = Buffer.from(of.stdout ?? "");
  await print(nats, key.task, bytes);
  const finishedAt = Date.now();
  const report = {
    ...{ ...key, attempt: 1, fence, node: NODE, revision: 1, image: null, pull: null, not_started: null },
    started_at: finishedAt - 5,
    ended: {
      ...{ exit_code: of.exitCode ?? 0, signal: null, oom_killed: false, stopped_by: null, failure: null },
      ...{ finished_at: finishedAt, message: null },
    },
    logs: {
      stdout: { stored: bytes.length + (of.late ?? 0), dropped: 0 },
      stderr: { stored: 0, dropped: 0 },
    },
  };
  await act({ kind: "report", report, jitter: 0 } as unknown as Wish);
  return { ...key, finishedAt };
}

const CHUNK_BYTES = 64 * 1024;

/** Stores bytes of standard output, beginning at an offset. */
export async function print(nats: Nats, task: string, bytes: Buffer, from = 0): Promise<void> {
  const subject = subjects.log({ node: NODE, task, attempt: 1, stream: "stdout" });
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const head = headers();
    head.set(logHeaders.offset, String(from + at));
    head.set(logHeaders.at, "0");
    await nats.js.publish(subject, bytes.subarray(at, at + CHUNK_BYTES), { headers: head });
  }
}
