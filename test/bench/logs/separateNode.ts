import { readFileSync } from "node:fs";
import { join } from "node:path";
import { startGuardedChild } from "../../../deploy/embedded/guardedChild.ts";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import { tempHome } from "../../support/tempHome.ts";
import { waitFor } from "../../support/waitFor.ts";
import { onInterrupt } from "../system/onInterrupt.ts";
import type { RunningUp } from "../system/runningUp.ts";

export interface SeparateNode {
  readonly name: string;
  /** Highest resident size of the agent's process since its start, in bytes. */
  peakBytes(): number;
  stop(): Promise<void>;
}

const startDeadlineMs = 60_000;
const stopGraceMs = 20_000;

/** `cazi serve node` in a process of its own, beside a running system: what an agent costs can be seen by itself. */
export async function startSeparateNode(
  up: RunningUp,
  of: { readonly name: string; readonly dockerHost: string },
): Promise<SeparateNode> {
  const home = tempHome();
  const logFile = join(home.path, "node.log");
  const child = await startGuardedChild({
    command: process.execPath,
    args: [join(projectRoot, "dist", "cazi.js"), "serve", "node"],
    cwd: home.path,
    env: {
      PATH: process.env.PATH ?? "",
      TMPDIR: process.env.TMPDIR ?? "/tmp",
      CAZI_HOME: home.path,
      CAZI_INSTANCE: up.instance,
      CAZI_NODE: of.name,
      CAZI_LOG_LEVEL: "warn",
      NATS_URL: up.nats.url,
      NATS_CREDS: up.nats.credsFile,
      ...(of.dockerHost === "" ? {} : { DOCKER_HOST: of.dockerHost }),
    },
    logFile,
    pidFile: join(home.path, "node.pid"),
    stopSignal: "SIGINT",
  });
  const stop = async () => {
    forget();
    await child.stop(stopGraceMs);
    home.remove();
  };
  const forget = onInterrupt(stop);
  try {
    const said = () => readFileSync(logFile, "utf8");
    const isOver = () => child.hasExited() || said().includes("serving node");
    await waitFor("the node to serve", isOver, { deadlineMs: startDeadlineMs });
    if (child.hasExited()) throw new Error(`the node ended:\n${said().slice(-2_000)}`);
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    name: of.name,
    peakBytes: () => {
      const status = readFileSync(`/proc/${child.pid}/status`, "utf8");
      return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? Number.NaN) * 1024;
    },
    stop,
  };
}
