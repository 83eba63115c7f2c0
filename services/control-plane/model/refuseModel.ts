import { type Refusal, refuse } from "../../domain/refusal.ts";
import { callsModel, programOf } from "../../domain/spec/programOf.ts";
import type { WorkloadSpec } from "../../domain/spec/workloadSpec.ts";
import type { ApiPorts } from "../ports.ts";

/** Why a program of this spec cannot ask a model here, or null. Pure. @param at where the spec is in the request */
export function refuseModel(
  { asksModel }: Pick<ApiPorts, "asksModel">,
  spec: Pick<WorkloadSpec, "script" | "project">,
  at = "",
): Refusal | null {
  const program = programOf(spec);
  if (asksModel || program === null || !callsModel(program)) return null;
  const place = spec.script === null ? "/project" : `/script/tools/${program.tools.indexOf("model.call")}`;
  return refuse("MODEL_NOT_OFFERED", "This control plane asks no model for scripts.", {
    hint: "Its operator sets CAZI_MODEL_KEY, and CAZI_ARTIFACT_LISTEN for nodes to ask at.",
    details: [{ pointer: `${at}${place}`, message: "model.call is not offered here" }],
  });
}
