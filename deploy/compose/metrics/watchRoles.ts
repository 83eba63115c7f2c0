import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { WriteGate } from "../../../services/kernel/ledger/writeGate.ts";
import type { Nats } from "../../../services/kernel/nats/connectNats.ts";
import { projectRoot } from "../../../services/kernel/projectRoot.ts";
import type { Ground, RunningRole } from "../roles/role.ts";
import { unreadyRoles } from "../unreadyRoles.ts";
import { type Probes, serveProbes } from "./serveProbes.ts";

/** Tells of the roles of this process, and serves its probes where `CAZI_METRICS_PORT` asks for it. */
export async function watchRoles(
  /** Without a gate where nothing is written to the ledger. */
  ground: Pick<Ground, "metrics" | "config"> & {
    readonly nats: Pick<Nats, "connected">;
    readonly gate?: WriteGate;
  },
  roles: readonly RunningRole[],
): Promise<Probes | null> {
  const { metrics, config, nats, gate } = ground;
  const names = roles.map(({ name }) => name).join(",");
  const build = { version: caziVersion(), node: process.versions.node, roles: names };
  metrics.watch("roles", (set) => {
    set("cazi_build_info", build, 1);
    for (const role of roles) set("cazi_role_troubled", { role: role.name }, role.trouble() === null ? 0 : 1);
  });
  if (config.metricsPort === 0) return null;
  return serveProbes({
    listen: { host: config.host, port: config.metricsPort },
    metricsText: () => metrics.text(),
    unready: () => [
      ...(nats.connected() ? [] : [{ code: "NATS_UNAVAILABLE", message: "there is no connection to NATS" }]),
      ...unreadyRoles(gate, roles),
    ],
  });
}

function caziVersion(): string {
  return (JSON.parse(readFileSync(join(projectRoot, "package.json"), "utf8")) as { version: string }).version;
}
