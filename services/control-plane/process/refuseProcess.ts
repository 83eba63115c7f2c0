import { type Refusal, refuse } from "../../domain/refusal.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { ApiPorts } from "../ports.ts";

/** Why commands of this spec's script cannot be tasks here, or null. Pure. */
export function refuseProcess(
  { takesCommands }: Pick<ApiPorts, "takesCommands">,
  { script }: Pick<WorkloadSpec, "script">,
): Refusal | null {
  if (takesCommands || script?.process_image === undefined) return null;
  return refuse("PROCESS_TASK_NOT_OFFERED", "No node can ask this control plane for commands of scripts.", {
    hint: "Leave script.process_image out to use the commands of a node; the operator's way is CAZI_ARTIFACT_LISTEN.",
    details: [{ pointer: "/script/process_image", message: "is not offered here" }],
  });
}
