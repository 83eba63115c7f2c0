import type { Refusal } from "../../domain/refusal.ts";
import { refuseModel } from "../model/refuseModel.ts";
import type { ApiPorts } from "../ports.ts";
import { refuseProcess } from "../process/refuseProcess.ts";
import { type ReadAndWritten, withDownstream } from "./withDownstream.ts";

/**
 * Why the program of a spec, or of one that comes after it, is not offered here, or null. Pure. What comes after is refused
 * with its parent: it would be submitted when nobody looks.
 * @returns a refusal `PROCESS_TASK_NOT_OFFERED` or `MODEL_NOT_OFFERED`
 */
export function refusePrograms(
  ports: Pick<ApiPorts, "takesCommands" | "asksModel">,
  of: ReadAndWritten,
): Refusal | null {
  for (const { spec, at } of withDownstream(of)) {
    const refusal = refuseProcess(ports, spec, at) ?? refuseModel(ports, spec, at);
    if (refusal !== null) return refusal;
  }
  return null;
}
