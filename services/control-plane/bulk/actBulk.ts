import type { BulkBody, BulkPage, BulkResult } from "../../../schemas/api/bulk.ts";
import { parseApiPosition } from "../../../schemas/api/position.ts";
import { isRefusal } from "../../domain/refusal.ts";
import type { TraceContext, Who } from "../../domain/task/taskState.ts";
import { type CaziError, Rejection } from "../../kernel/errors.ts";
import { derivedId, newId } from "../../kernel/ids.ts";
import type { ApiPorts } from "../ports.ts";
import { rejectionOf } from "../submit/specRequest.ts";
import { replayTask } from "../tasks/replayTask.ts";
import type { Selection } from "./selection.ts";

/** Appends under way at once for one call: others submit too. */
const AT_ONCE = 16;

export interface BulkCaller {
  readonly tenant: string;
  readonly actor: string;
  readonly who: Who;
  readonly trace: TraceContext;
  /** The call's Idempotency-Key. */
  readonly key: string;
}

/**
 * Does the selection's action to the next of its tasks.
 * @throws Rejection `CURSOR_INVALID`; Retryable whatever stands against all of them: the same call may be sent again
 */
export async function actBulk(
  ports: ApiPorts,
  selection: Selection,
  by: BulkCaller & Pick<BulkBody, "cursor" | "limit" | "reason">,
): Promise<BulkPage> {
  const { action, filter, position } = selection;
  const asOf = parseApiPosition(position)?.seq ?? 0;
  const { limit, cursor } = by;
  const page = await ports.reads.selectionPage(by.tenant, { action, filter, asOf, limit, cursor });
  // A replay that this very call made earlier may match by now; replaying it would go on for ever.
  const tasks = page.data.filter(({ id, source }) => id !== replayId(by, source.replace(/^replay:/, "")));
  const results: BulkResult[] = [];
  for (let from = 0; from < tasks.length; from += AT_ONCE) {
    const act = action === "cancel" ? cancelOne : replayOne;
    const part = tasks.slice(from, from + AT_ONCE).map(({ id }) => act(ports, by, id).catch(failed(id)));
    const settled = await Promise.allSettled(part);
    for (const one of settled) {
      if (one.status === "rejected") throw one.reason;
      results.push(one.value);
    }
  }
  return { action, results, next_cursor: page.next_cursor };
}

const nothing = { replay: null, code: null, message: null } as const;

async function cancelOne(
  ports: ApiPorts,
  by: BulkCaller & { readonly reason: string | null },
  id: string,
): Promise<BulkResult> {
  const at = ports.clock.now();
  const { who, reason } = by;
  const command = { kind: "cancel", id: newId(at), at, who, reason } as const;
  const done = await ports.ledger.execute({ tenant: by.tenant, task: id }, command, null);
  if (isRefusal(done)) {
    if (done.code === "TASK_ENDED") return { id, outcome: "already_over", ...nothing };
    throw rejectionOf(done);
  }
  const { state } = done;
  if ("node" in state && state.node !== null) ports.hintNode(state.node);
  if (state.status !== "cancelled") return { id, outcome: "cancel_requested", ...nothing };
  return { id, outcome: done.events.length > 0 ? "cancelled" : "already_over", ...nothing };
}

async function replayOne(ports: ApiPorts, by: BulkCaller, id: string): Promise<BulkResult> {
  const { who, trace, key } = by;
  const creation = { key, keyGiven: true, id: replayId(by, id) };
  const made = await replayTask(ports, { tenant: by.tenant, task: id }, { who, trace, creation });
  return { ...nothing, id, outcome: made.repeated ? "repeated" : "replayed", replay: made.task.id };
}

function replayId({ tenant, actor, key }: BulkCaller, source: string): string {
  return derivedId(tenant, actor, "POST /v1/tasks/bulk", key, source);
}

/** What stands against this task alone is its outcome; anything else is thrown on. */
function failed(id: string): (error: unknown) => BulkResult {
  return (error) => {
    if (!(error instanceof Rejection)) throw error;
    const { code, message } = error as CaziError;
    return { id, outcome: "failed", replay: null, code, message };
  };
}
