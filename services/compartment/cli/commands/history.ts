/** `agent history`: the recorded runs of a project, each checked before it is believed. */
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { listRuns } from "../../audit/listRuns.ts";
import { plainLine } from "../../membrane/plainLine.ts";
import { POLICY_FILE_NAME, parsePolicy } from "../../policy/policyFile.ts";
import { readSource } from "../../policy/readSource.ts";
import type { RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";

export const history: RunCommand = async (io, flags) => {
  const base = resolve(io.cwd, flags.texts.get("project") ?? flags.positionals[0] ?? ".");
  const policy = join(base, POLICY_FILE_NAME);
  const own = existsSync(policy)
    ? parsePolicy(readSource(policy).text, base).settings.values.audit_log
    : undefined;
  const named = own === undefined ? [] : [resolve((own as { readonly path: string }).path, "..")];
  const runs = listRuns([join(base, ".cazi/agent/audit"), ...named]);
  if (flags.switches.has("json")) io.out(`${JSON.stringify({ type: "agent_history", runs })}\n`);
  for (const run of flags.switches.has("json") ? [] : runs) {
    const end = run.reason === null ? run.status : `${run.status}, ${run.reason}`;
    const what =
      run.state === "refused" ? "refused: not an intact log" : `${run.run_id} ${end}, ${run.events} events`;
    io.out(`${plainLine(`${new Date(run.written_ms).toISOString()} ${what}; ${run.path}`)}\n`);
  }
  return runs.some(({ state }) => state === "refused") ? EXIT.badData : 0;
};
