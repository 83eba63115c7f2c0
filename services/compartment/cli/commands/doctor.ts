/** `agent doctor`: what may be claimed, as one object. */

import { CaziError } from "../../../kernel/errors.ts";
import { loadEngine } from "../../engine/engineModule.ts";
import { admitModules } from "../../policy/admitModules.ts";
import { controls, doctorReport } from "../../policy/doctorReport.ts";
import { readSource } from "../../policy/readSource.ts";
import { authorityCounts, integrityOf, nonClaims } from "../../policy/riskOf.ts";
import type { RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import { policyPathOf, resolveConfig } from "../resolveConfig.ts";

export const doctor: RunCommand = async (io, flags) => {
  // The engine's code is what it was reviewed as, or this fails loudly.
  await loadEngine();
  const path = policyPathOf(flags, io.cwd);
  const validation =
    path === null
      ? null
      : projectFault(() => {
          const config = resolveConfig(flags, io.cwd);
          if (config.agent !== null) readSource(config.agent.path);
          admitModules(config);
        });
  const report = {
    ...doctorReport(),
    ...(path === null
      ? {}
      : {
          project: {
            type: "agent_project_doctor",
            validation: validation ?? "valid",
            authority_counts: validation === null ? authorityCounts(resolveConfig(flags, io.cwd)) : null,
            integrity: validation === null ? integrityOf(resolveConfig(flags, io.cwd)) : null,
            non_claims: nonClaims,
            control_snapshot: controls,
          },
        }),
  };
  io.out(`${JSON.stringify(report, null, flags.switches.has("json") ? 0 : 2)}\n`);
  return validation === null ? 0 : EXIT.badData;
};

function projectFault(check: () => void): string | null {
  try {
    check();
    return null;
  } catch (error) {
    if (!(error instanceof CaziError)) throw error;
    return error.message;
  }
}
