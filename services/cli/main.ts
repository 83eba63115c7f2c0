/** The program: the only file of the command line that reads the process it runs in. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { systemClock } from "../kernel/clock.ts";
import { loadConfig } from "../kernel/config.ts";
import { projectRoot } from "../kernel/projectRoot.ts";
import type { Settings } from "./context.ts";
import { createOutput } from "./output/output.ts";
import { runCli } from "./runCli.ts";

if (process.argv[2] === "agent") {
  // The compartment stands alone: its own program, flags and exit codes, no server and none of what is loaded here.
  await import("../compartment/cli/main.ts");
} else {
  await harness();
}

async function harness(): Promise<never> {
  const { env, stdout, stderr } = process;

  let settings: Settings | null = null;
  const version = (JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string })
    .version;

  const code = await runCli(process.argv.slice(2), {
    env,
    // Both are loaded by Node at their first use, and `--help` uses neither.
    get stdin() {
      return process.stdin;
    },
    version,
    stdout,
    stderr,
    output: createOutput({ stdout, stderr }),
    clock: systemClock,
    random: Math.random,
    fetch: (input, init) => fetch(input, init),
    signals: process,
    exitNow: (now) => process.exit(now),
    settings: () => {
      settings ??= loadConfig(env, (path) => readFileSync(path, "utf8"));
      return settings;
    },
  });
  // Every write was waited for; what is left, such as an idle connection, must not hold the process.
  process.exit(code);
}
