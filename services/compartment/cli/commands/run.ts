/** `agent run`: the program's events on standard output, what became of it on standard error. */
import type { JsonObject } from "../../membrane/jsonText.ts";
import { stackLines, thrownSentence } from "../../membrane/thrownText.ts";
import { runAgent } from "../../turn/runAgent.ts";
import type { RunCommand } from "../agentIo.ts";
import { EXIT } from "../exitCodes.ts";
import { heldSentence } from "../heldSentence.ts";
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
    io.err(linesOf(outcome.thrown).join(""));
    for (const held of outcome.held) io.err(`${heldSentence(held, config.approval_log, io.cwd)}\n`);
  }
  return outcome.status === "ok" ? 0 : EXIT.failed;
};

/** After the line with the true head, and in quotes: what a program throws is no word of ours. */
function linesOf(thrown: JsonObject | null): string[] {
  if (thrown === null) return [];
  const hint = thrown.hint === undefined ? [] : [`${thrown.hint}`];
  const lines = [`the program threw "${thrownSentence(thrown)}"`, ...stackLines(thrown), ...hint];
  return lines.map((line) => `${line}\n`);
}
