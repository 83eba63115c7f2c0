import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { alone, type BenchResult, compared } from "../figures.ts";
import { startUp } from "../system/runningUp.ts";

/** `npm start` on a home that was used before, and the help of the command line beside a program that does nothing. */
export async function benchStart(options: {
  readonly starts: number;
  readonly helps: number;
}): Promise<BenchResult> {
  let up = await startUp({ postgres: "embedded", nodeArgs: [], program: null, settings: {} });
  const starts: number[] = [];
  try {
    for (let i = 0; i < options.starts; i++) {
      up = await up.restart();
      starts.push(up.startMs / 1000);
    }
  } finally {
    await up.stop();
  }
  const help = Array.from({ length: options.helps }, () => ({
    value: msOfNode([join(projectRoot, "services/cli/bin/cazi.mjs"), "--help"]),
    control: msOfNode(["-e", "0"]),
  }));
  return {
    figures: [
      alone("warm start, all parts embedded", "s", starts, { of: "value", is: "at most", value: 5 }),
      compared({
        name: "cazi --help",
        unit: "ms",
        controlName: "node -e 0",
        target: { of: "value", is: "at most", value: 150 },
        rounds: help,
      }),
    ],
    details: {},
  };
}

function msOfNode(args: readonly string[]): number {
  const began = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "ignore" });
  if (status !== 0) throw new Error(`node ${args.join(" ")} ended with ${status}`);
  return performance.now() - began;
}
