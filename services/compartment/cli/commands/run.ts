/** `agent run`: the program's events on standard output, what became of it on standard error. */
import { runAgent } from "../../turn/runAgent.ts";
import type { RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import { resolveConfig, secretValues, toolPortsOf, withAddresses } from "../resolveConfig.ts";

export const run: RunCommand = async (io, flags) => {
  const json = flags.switches.has("json");
  const config = await withAddresses(resolveConfig(flags, io.cwd), io);
  const result = await runAgent(
    {
      clock: io.clock,
      guests: io.guests,
      tools: toolPortsOf(io),
      seed: io.seed,
      cwd: io.cwd,
      secrets: secretValues(config, io.env),
      onEvent: (event) => {
        if (!json) io.out(`${JSON.stringify(event)}\n`);
      },
    },
    config,
  );
  const { outcome } = result;
  const facts = { run_id: result.runId, audit_log: result.auditLog, head: result.head };
  if (json) io.out(`${JSON.stringify({ type: "agent_run", ...facts, ...outcome })}\n`);
  if (outcome.status === "unsupported") {
    io.err(`${outcome.control} is not available: ${outcome.reason}\n`);
    return EXIT.unsupported;
  }
  if (!json) {
    const end = outcome.reason === null ? "" : `, ${outcome.reason}`;
    io.err(
      `run ${result.runId}: ${outcome.status}${end}; audit log ${result.auditLog}, head ${result.head}\n`,
    );
    if (outcome.thrown !== null) {
      io.err(`${outcome.thrown.name}: ${outcome.thrown.message}\n${outcome.thrown.stack ?? ""}`);
      if (outcome.thrown.hint !== undefined) io.err(`${outcome.thrown.hint}\n`);
    }
  }
  return outcome.status === "ok" ? 0 : EXIT.failed;
};
