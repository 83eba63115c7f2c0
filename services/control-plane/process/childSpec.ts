import { timeoutSecondsMax } from "../../domain/spec/limits.ts";
import { readSpec } from "../../domain/spec/readSpec.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { PlacedTask } from "../../domain/task/taskState.ts";
import { canonicalSpec } from "../../kernel/canonicalSpec.ts";
import { outputBytesOfCommand } from "../limits.ts";
import { type AcceptedSpec, accepted } from "../submit/specRequest.ts";

/**
 * What a command of a script runs as: a container of the spec's image, with no network, no secret and no file of its
 * parent, that neither starts nor runs beyond what its parent has left. Pure.
 * @param of.parent what its first event recorded
 * @throws Rejection `SPEC_INVALID` for a command that no spec may have
 */
export function childSpec(of: {
  readonly parent: Pick<WorkloadSpec, "priority" | "ttl_seconds"> & { readonly image: string };
  readonly state: Pick<PlacedTask, "started_at" | "limits">;
  readonly command: readonly string[];
  readonly now: number;
}): AcceptedSpec {
  const { parent, state, command, now } = of;
  const runsForMs = state.started_at === null ? 0 : Math.max(0, now - state.started_at);
  const left = Math.ceil((state.limits.timeout_ms - runsForMs) / 1000);
  const seconds = Math.min(timeoutSecondsMax, Math.max(1, left));
  const written = {
    image: parent.image,
    command: [...command],
    network: "none",
    priority: parent.priority,
    // Its arguments and output are its parent's data.
    ttl_seconds: parent.ttl_seconds,
    timeout_seconds: seconds,
    start_within_seconds: seconds,
    max_output_bytes: outputBytesOfCommand,
    output_format: "text",
    rationale: "Command of a script (tool process).",
  };
  const { spec, warnings } = accepted(readSpec(written));
  return { spec, written, ...canonicalSpec(spec), warnings };
}
