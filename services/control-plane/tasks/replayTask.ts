import { createHash } from "node:crypto";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import { limitsOf } from "../../domain/task/limitsOf.ts";
import type { Image, TraceContext, Who } from "../../domain/task/taskState.ts";
import { invariant, Rejection } from "../../kernel/errors.ts";
import type { TaskKey } from "../../kernel/ledger/taskLedger.ts";
import type { ApiPorts } from "../ports.ts";
import { type Created, createTask } from "../submit/createTask.ts";
import type { Creation } from "../submit/idempotency.ts";

/**
 * A new task with exactly the spec of an earlier one, byte for byte, and the image that it ran.
 * @throws Rejection `TASK_NOT_FOUND`, `TASK_ERASED`, and as `createTask`
 */
export async function replayTask(
  ports: ApiPorts,
  key: TaskKey,
  by: { readonly who: Who; readonly trace: TraceContext; readonly creation: Creation },
): Promise<Created> {
  const [{ state }, first] = await Promise.all([ports.ledger.load(key), ports.ledger.first(key)]);
  if (state.status === "erased") throw new Rejection("TASK_ERASED", "The task has been erased.");
  if (state.status === "absent" || first === null || !("spec" in first.body)) {
    throw new Rejection("TASK_NOT_FOUND", "There is no such task.");
  }
  const { spec: specJson, spec_digest } = first.body;
  const spec = JSON.parse(specJson) as WorkloadSpec;
  const digest = `sha256:${createHash("sha256").update(specJson).digest("hex")}`;
  invariant(digest === spec_digest, "the recorded spec has the recorded digest");
  return createTask(ports, {
    tenant: key.tenant,
    ...by,
    requestHash: `replay:${key.task}`,
    spec,
    specJson,
    specDigest: spec_digest,
    limits: limitsOf(spec),
    image: pinned(state.image),
    source: `replay:${key.task}`,
    warnings: [],
  });
}

/** Only an image that was resolved can be pinned; a task that never got so far resolves its own. */
function pinned(image: Image | null): Image | null {
  return image !== null && (image.repo_digest !== null || image.image_id !== null) ? image : null;
}
