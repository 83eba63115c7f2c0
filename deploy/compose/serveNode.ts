import type { Config } from "../../services/kernel/config.ts";
import { Rejection } from "../../services/kernel/errors.ts";
import { openMetrics } from "../../services/kernel/metrics/openMetrics.ts";
import { connectNats, type Nats } from "../../services/kernel/nats/connectNats.ts";
import { credentialFacts } from "../../services/kernel/nats/readCredentials.ts";
import { natsTls } from "../../services/kernel/nats/tls.ts";
import { openTracer } from "../../services/kernel/tracing/openTracer.ts";
import { importedApiPrefix } from "../../streams/accounts.ts";
import { keptInstance } from "../homeFiles.ts";
import { inHome } from "../homeFolder.ts";
import { watchRoles } from "./metrics/watchRoles.ts";
import { lockNode } from "./nodeLock.ts";
import { nodeRole } from "./roles/node.ts";
import type { RunningRole } from "./roles/role.ts";
import type { ServeOptions } from "./serveRole.ts";

const FIRST_CONNECTION_MS = 30_000;

/**
 * A node alone: its connection and an engine, no database, no key, no other node's subject. With credentials of
 * `cazi node add` it lives in an account of its own, and its name is in them; with those of the services, in theirs.
 * @throws Rejection `NODE_CREDS_MISMATCH`, `NODE_REFUSED`, `HOME_IN_USE`, `HOME_UNUSABLE`, and what {@link connectNats} throws
 */
export async function serveNode(options: ServeOptions): Promise<RunningRole> {
  const { clock, log, say } = options;
  const own = options.config.natsCreds === "" ? null : credentialFacts(options.config.natsCreds).node;
  const config = nodeConfig(options, own);
  const lock = await inHome(config.home, async () => lockNode(config.home, config.node));
  const [metrics, tracer, nats] = await Promise.all([
    openMetrics({ clock }),
    openTracer({ config, log }),
    connectNats({
      url: config.natsUrl,
      credsFile: config.natsCreds || null,
      tls: natsTls(config),
      ...(own === null ? {} : { apiPrefix: importedApiPrefix }),
      name: `cazi node ${config.node}`,
      firstWaitMs: FIRST_CONNECTION_MS,
      onWaiting: say,
    }).catch((error) => {
      throw own !== null && (error as { code?: unknown }).code === "NATS_REFUSED"
        ? nodeRefused(own, error)
        : error;
    }),
  ]);
  tellRefusals(nats, options, own);
  const role = await inHome(config.home, () =>
    nodeRole({ config, nats, clock, log, tracer }, keptInstance(config.home, config.instance)),
  );
  const probes = await watchRoles({ metrics, config, nats }, [role]);
  if (probes !== null) say(`metrics and probes at ${probes.url}`);
  return {
    ...role,
    stop: async () => {
      await probes?.stop();
      await role.stop();
      await nats.close();
      await tracer.stop();
      lock.release();
    },
  };
}

/** What follows from whose credentials they are. Pure. @throws Rejection `NODE_CREDS_MISMATCH` */
export function nodeConfig(
  { config, given }: Pick<ServeOptions, "config" | "given">,
  own: string | null,
): Config {
  if (own === null) return config;
  if (given.has("node") && config.node !== own) {
    throw new Rejection("NODE_CREDS_MISMATCH", `the credentials are of node ${own}, not of ${config.node}`, {
      hint: "Leave the name out: it is in the credentials.",
    });
  }
  // Elsewhere its attempts may be run again: what nobody hears of must not go on.
  const onDisconnect = given.has("onDisconnect") ? config.onDisconnect : "kill";
  return { ...config, node: own, onDisconnect };
}

/** What the server refuses for long. It cannot tell a removed node from one whose account it has not read yet. */
export function nodeRefused(node: string, cause?: unknown): Rejection {
  return new Rejection(
    "NODE_REFUSED",
    `the NATS server does not let this node in: ${node} was removed, or has new credentials`,
    {
      cause,
      hint: `Unless NATS itself is being set up anew, end this agent and remove its credentials file; \`cazi node add ${node}\` where Cazi runs makes new ones.`,
    },
  );
}

/**
 * A node that was removed is refused at each try, which goes on: a server that has lost an account for a while must not
 * cost a fleet. Once is enough to say it, with what to do.
 */
function tellRefusals(nats: Nats, { log, say }: Pick<ServeOptions, "log" | "say">, own: string | null): void {
  let told = false;
  nats.onReconnect(() => {
    told = false;
  });
  void (async () => {
    for await (const status of nats.connection.status()) {
      if (told || !/authorization|authentication/i.test(String(status.data))) continue;
      told = true;
      const reason = String(status.data);
      if (own === null) {
        log.error({ reason }, "the NATS server does not let this node in; it keeps trying");
        continue;
      }
      const { code, message, hint } = nodeRefused(own);
      log.error({ code, reason }, `${message}; it keeps trying`);
      say(`${message} (${code}); it keeps trying. ${hint}`);
    }
  })();
}
