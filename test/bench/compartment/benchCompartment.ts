import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { type BenchResult, compared, type Figure } from "../figures.ts";
import { benchHealth } from "./benchHealth.ts";
import { benchRecords } from "./benchRecords.ts";
import { benchReexecution } from "./benchReexecution.ts";
import { benchCalls, benchTurns, msOf } from "./benchTurns.ts";

export interface CompartmentOptions {
  readonly rounds: number;
  /** Generated programs in one process. */
  readonly runs: number;
}

/** The program of the documents' first page. */
const EXAMPLE = `emit({ kind: "start", goal: context.goal });
const r = callTool("echo", { value: context.goal });
emit({ kind: "tool-result", r });
`;

/** What the compartment costs beside the engine that it is made of. */
export async function benchCompartment({ rounds, runs }: CompartmentOptions): Promise<BenchResult> {
  const folder = mkdtempSync(join(tmpdir(), "cazi-compartment-bench-"));
  try {
    const figures = [
      await benchProcess(folder, rounds * 3),
      ...(await benchTurns({ folder, rounds })),
      await benchCalls({ folder, rounds }),
      await benchReexecution({ folder, rounds }),
      ...benchRecords({ folder, rounds }),
    ];
    const health = await benchHealth({ folder, runs });
    return { figures: [...figures, ...health.figures], details: health.details };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function benchProcess(folder: string, times: number): Promise<Figure> {
  writeFileSync(join(folder, "agent.js"), EXAMPLE);
  const node = (words: readonly string[]) =>
    msOf(() => {
      const { status, stderr } = spawnSync(process.execPath, words, { cwd: folder, encoding: "utf8" });
      if (status !== 0) throw new Error(`node ${words.join(" ")} ended with ${status}: ${stderr}`);
    });
  const command = join(projectRoot, "services/cli/bin/cazi.mjs");
  const ours = [command, "agent", "run", "agent.js", "--timeout-ms=5000", "--tool=echo"];
  const bare = [join(projectRoot, "test/bench/compartment/bareEngine.mjs"), "agent.js"];
  const rounds: { value: number; control: number }[] = [];
  for (let n = 0; n < times; n++) {
    const value = await node([...ours, '--context-json={"goal":"summarize"}']);
    rounds.push({ value, control: await node(bare) });
  }
  return compared({
    name: "cold `cazi agent run` of the documents' example",
    unit: "ms",
    controlName: "a bare Node script with the engine and the source",
    target: { of: "ratio", is: "at most", value: 1.8 },
    rounds,
  });
}
