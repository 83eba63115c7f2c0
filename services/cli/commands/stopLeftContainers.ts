import { readFileSync } from "node:fs";
import { join } from "node:path";
import { engineRequest } from "../../../deploy/embedded/engineRequest.ts";
import type { CliContext } from "../context.ts";

export const defaultDockerHost = "unix:///var/run/docker.sock";
const graceSeconds = 10;
const timeoutMs = 30_000;

/**
 * Stops the containers that an instance left running when it ended. They are stopped, not removed: the next start
 * reports how they ended.
 */
export async function stopLeftContainers(context: CliContext): Promise<void> {
  const { config } = context.settings();
  const instance = config.instance || keptInstance(config.home);
  if (instance === null) return;
  const dockerHost = config.dockerHost || defaultDockerHost;
  const ids = await runningContainers(dockerHost, instance).catch(() => []);
  await Promise.all(
    ids.map((id) =>
      engineRequest(dockerHost, {
        method: "POST",
        path: `/containers/${id}/stop?t=${graceSeconds}`,
        timeoutMs,
      }),
    ),
  );
  if (ids.length === 0) return;
  const what = ids.length === 1 ? "container that was" : "containers that were";
  await context.output.message(`stopped ${ids.length} ${what} left running`);
}

/** Ids, by the label that every container of the instance carries. */
async function runningContainers(dockerHost: string, instance: string): Promise<string[]> {
  const filters = JSON.stringify({ label: [`cazi.instance=${instance}`], status: ["running"] });
  const path = `/containers/json?filters=${encodeURIComponent(filters)}`;
  const { status, body } = await engineRequest(dockerHost, { method: "GET", path, timeoutMs });
  if (status !== 200) return [];
  return (JSON.parse(body.toString("utf8")) as { Id: string }[]).map(({ Id }) => Id);
}

export function keptInstance(home: string): string | null {
  try {
    return readFileSync(join(home, "instance"), "utf8").trim() || null;
  } catch {
    return null;
  }
}
