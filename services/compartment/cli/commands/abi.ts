/** `agent abi`: what stays as it is, as one object. */
import { abiReport } from "../../policy/abiReport.ts";
import type { RunCommand } from "../agentIo.ts";

export const abi: RunCommand = async (io, flags) => {
  io.out(`${JSON.stringify(abiReport(), null, flags.switches.has("json") ? 0 : 2)}\n`);
  return 0;
};
