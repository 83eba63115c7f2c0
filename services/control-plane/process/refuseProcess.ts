import { type Refusal, refuse } from "../../domain/refusal.ts";
import { programOf } from "../../domain/spec/programOf.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { ApiPorts } from "../ports.ts";

/** Why commands of this spec's script cannot be tasks here, or null. Pure. @param at where the spec is in the request */
export function refuseProcess(
  { takesCommands }: Pick<ApiPorts, "takesCommands">,
  spec: Pick<WorkloadSpec, "script" | "project">,
  at = "",
): Refusal | null {
  if (takesCommands || (programOf(spec)?.processImage ?? null) === null) return null;
  const pointer = `${at}/${spec.script === null ? "project" : "script"}/process_image`;
  return refuse("PROCESS_TASK_NOT_OFFERED", "No node can ask this control plane for commands of scripts.", {
    hint: "Leave process_image out to use the commands of a node; the operator's way is CAZI_ARTIFACT_LISTEN.",
    details: [{ pointer, message: "is not offered here" }],
  });
}
