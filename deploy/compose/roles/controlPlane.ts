import { startArtifacts } from "../../../services/control-plane/artifacts/startArtifacts.ts";
import { openIdentity } from "../../../services/control-plane/identity/identity.ts";
import { type ControlPlane, startControlPlane } from "../../../services/control-plane/main.ts";
import { createTaskReads } from "../../../services/control-plane/reads/taskReads.ts";
import { startTransitions } from "../../../services/control-plane/transitions/startTransitions.ts";
import { timeoutSecondsMax } from "../../../services/domain/spec/limits.ts";
import type { DatabasePool } from "../../../services/kernel/postgres/openPool.ts";
import { mcpOverHttp } from "../mcpOverHttp.ts";
import { masterKeyOf, openConnections } from "../openConnections.ts";
import { unreadyRoles } from "../unreadyRoles.ts";
import type { Ground, RunningRole } from "./role.ts";

export interface ControlPlaneRole extends RunningRole {
  /** Where the API answers. */
  readonly url: string;
}

export async function controlPlaneRole(
  ground: Ground,
  options: {
    readonly pool: DatabasePool;
    readonly adminToken: string;
    readonly listen: { readonly host: string; readonly port: number };
    readonly portFixed: boolean;
    /** Where containers of an engine on this machine reach it; null where there is none, or it is not known. */
    readonly bridgeGateway: string | null;
    /** Roles beside it in this process, asked by `/readyz`. */
    readonly beside: readonly RunningRole[];
  },
): Promise<ControlPlaneRole> {
  const { config } = ground;
  const { claimLimitMs, startLimitMs, stopGraceMs } = config;
  const epoch = ground.feed.epoch;
  let api: ControlPlane | null = null;
  let url = `http://${options.listen.host}:${options.listen.port}`;
  const [identity, connections] = await Promise.all([
    identityOf(ground, () => config.publicUrl || url),
    openConnections(ground),
  ]);
  const artifacts = await startArtifacts({
    ...ground,
    identity,
    connections,
    children: () => api?.children ?? null,
    models: () => api?.models ?? null,
    // Limits are known once the API is up, a moment later.
    admitUpload: async (tenant, bytes) => await api?.quotas.admitUpload(tenant, bytes),
    bridgeGateway: options.bridgeGateway,
  });
  const stopTransitions = startTransitions({
    ...ground,
    artifactUrl: artifacts.url,
    stdinUrl: artifacts.stdinUrl,
    modelUrl: config.modelKey === "" ? null : config.modelUrl,
    identity,
    connections,
    epoch,
    random: Math.random,
    claimLimitMs,
    startLimitMs,
    stopGraceMs,
  });
  const started = await startControlPlane({
    ...ground,
    ...options,
    identity,
    connections,
    artifacts: artifacts.reads,
    hostedBytes: (tenant) => artifacts.hosted.bytesOf(tenant),
    takesCommands: artifacts.url !== null,
    reads: createTaskReads(options.pool),
    mcp: mcpOverHttp(ground),
    unready: () => unreadyRoles(ground.gate, options.beside),
  });
  api = started;
  url = started.url;
  return {
    name: "control-plane",
    url,
    trouble: () =>
      started
        .missing()
        .map(({ message }) => message)
        .join("; ") || null,
    drain: () => started.drain(),
    stop: async () => {
      await started.stop();
      await stopTransitions();
      await artifacts.stop();
      identity.stop();
    },
  };
}

/** Verifiers' clocks, and replicas', differ by less. */
const CLOCKS_MS = 300_000;
const DAY_MS = 86_400_000;

async function identityOf({ config, nats, ledger, clock, log }: Ground, issuer: () => string) {
  const { startLimitMs, stopGraceMs } = config;
  const master = masterKeyOf(config);
  return openIdentity(
    { kv: await nats.js.views.kv("keys"), ledger, master, clock, log },
    {
      issuer,
      audiences: config.workloadAudiences,
      startLimitMs,
      stopGraceMs,
      timing: {
        leadMs: config.keyLeadMs,
        retainMs: startLimitMs + timeoutSecondsMax * 1000 + stopGraceMs + CLOCKS_MS,
      },
      rotateAfterMs: config.keyRotateDays * DAY_MS,
    },
  );
}
