import { hostname } from "node:os";
import { deadLettersOnNats } from "../../../services/kernel/deadLetters/deadLetters.ts";
import { createLogSource } from "../../../services/kernel/logs/logSource.ts";
import { systemAddresses } from "../../../services/sinks/http/guardedRequest.ts";
import { trustedAuthorities } from "../../../services/sinks/http/trustedAuthorities.ts";
import { secretsOf } from "../../../services/sinks/sinkSecrets.ts";
import { sinkTriesOnNats } from "../../../services/sinks/sinkTries.ts";
import { startSinks } from "../../../services/sinks/startSinks.ts";
import { openConnections } from "../openConnections.ts";
import { admitDownstream } from "./admitDownstream.ts";
import type { Ground, RunningRole } from "./role.ts";

/** Carries output to sinks while it holds the lease. @throws Rejection `MASTER_KEY_INVALID`, `SINK_CA_INVALID` */
export async function sinksRole(ground: Ground): Promise<RunningRole> {
  const { config, nats, clock, log } = ground;
  const lease = ground.lease("sinks");
  const connections = await openConnections(ground);
  const admission = await admitDownstream(ground, connections);
  const stop = startSinks({
    ...ground,
    lease,
    secrets: secretsOf(connections),
    admitDownstream: admission.admit,
    dead: deadLettersOnNats(nats),
    sinkTries: sinkTriesOnNats({ open: () => nats.js.views.kv("sink_tries", { bindOnly: true }), log }),
    logs: createLogSource({ nats, clock }),
    guard: {
      policy: { allowPrivate: config.sinkAllowPrivate, ports: config.sinkPorts },
      resolve: systemAddresses,
      trust: trustedAuthorities(config.sinkCa),
    },
    base: config.sinkFiles,
    process: `${hostname()}-${process.pid}`,
    now: clock.now,
    policy: {
      tries: config.sinkTries,
      firstMs: config.sinkRetryFirstMs,
      lastMs: config.sinkRetryLastMs,
    },
  });
  return {
    name: "sinks",
    trouble: () => null,
    stop: async () => {
      await stop();
      admission.stop();
      await lease.stop();
    },
  };
}
