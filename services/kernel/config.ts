/**
 * Every setting of every role, once: its variable, default, meaning and unit. Nothing else reads the
 * environment. No schema library here: the command line loads this file on every call.
 */
import { resolve } from "node:path";
import { artifactSettings } from "./artifactSettings.ts";
import { Rejection } from "./errors.ts";
import { modelSettings } from "./modelSettings.ts";
import { nodeSettings } from "./nodeSettings.ts";
import { peopleSettings } from "./peopleSettings.ts";
import {
  address,
  addresses,
  duration,
  durationOrNone,
  integer,
  list,
  listenAddress,
  oneOf,
  path,
  publicAddress,
  type Setting,
  secretSetting,
  setting,
  text,
} from "./setting.ts";
import { sinkSettings } from "./sinkSettings.ts";

/** All settings, by the name they have in {@link Config}. */
export const settings = {
  home: setting("CAZI_HOME", resolve(".cazi"), path, "folder that holds all state of a local instance"),
  instance: setting(
    "CAZI_INSTANCE",
    "",
    text,
    "name on containers, so that instances sharing an engine never touch each other's; default: one made at first start",
  ),
  host: setting("CAZI_HOST", "127.0.0.1", text, "address the API listens on"),
  allowedHosts: setting<readonly string[]>(
    "CAZI_ALLOWED_HOSTS",
    [],
    list,
    "names beside loopback's that requests may give as their host, and pages that call /mcp as their origin, separated by commas; unset: none on loopback, else any",
  ),
  port: setting(
    "CAZI_PORT",
    7070,
    integer(0, 65_535),
    "port the API listens on; unset: 7070 or the next free one",
  ),
  drainMs: durationOrNone(
    "CAZI_DRAIN_SECONDS",
    "time that a control plane which is asked to end says so at /readyz and still answers, until load balancers have seen it",
  ),
  metrics: setting(
    "CAZI_METRICS",
    "auto",
    oneOf("auto", "open", "off"),
    "who may read /metrics of the API: auto asks for a token unless the API listens on loopback",
  ),
  metricsPort: setting(
    "CAZI_METRICS_PORT",
    0,
    integer(0, 65_535),
    "port of /metrics, /healthz and /readyz, for roles that have no API; no token is asked there; 0 for none",
  ),
  logLevel: setting(
    "CAZI_LOG_LEVEL",
    "info",
    oneOf("trace", "debug", "info", "warn", "error", "silent"),
    "how much the services log, on standard error; unset: `cazi up` logs to cazi.log in its home",
  ),
  natsUrl: setting(
    "NATS_URL",
    "",
    addresses("nats", "tls"),
    "NATS server to use instead of the embedded one; of a cluster, several, separated by commas",
  ),
  natsReplicas: setting(
    "CAZI_NATS_REPLICAS",
    1,
    integer(1, 5),
    "servers of the NATS cluster that keep each stream and bucket: 3 in a fleet",
  ),
  natsCreds: setting("NATS_CREDS", "", text, "credentials file for NATS_URL"),
  natsCa: setting("NATS_CA", "", text, "file of certificates that may sign that of NATS_URL (tls://)"),
  natsCert: setting(
    "NATS_CERT",
    "",
    text,
    "file of the client's own certificate, where NATS_URL asks for one",
  ),
  natsKey: setting("NATS_KEY", "", text, "file of that certificate's key"),
  natsListen: setting(
    "CAZI_NATS_LISTEN",
    "",
    listenAddress,
    "host:port that the embedded NATS server listens on, for nodes on other machines; unset: loopback only",
  ),
  natsListenPlain: setting(
    "CAZI_NATS_LISTEN_PLAIN",
    "no",
    oneOf("no", "yes"),
    "yes: it may do so without encryption, on a network that is encrypted itself",
  ),
  natsTlsCert: setting("CAZI_NATS_TLS_CERT", "", text, "file of the embedded NATS server's certificate"),
  natsTlsKey: setting("CAZI_NATS_TLS_KEY", "", text, "file of that certificate's key"),
  natsOperatorSeed: secretSetting(
    "CAZI_NATS_OPERATOR_SEED",
    "seed of the operator of NATS_URL, or of a signing key of it: `cazi node` signs accounts with it",
  ),
  natsSystemCreds: setting(
    "CAZI_NATS_SYSTEM_CREDS",
    "",
    text,
    "credentials file of the system account of NATS_URL: `cazi node` announces accounts with it",
  ),
  databaseUrl: secretSetting(
    "DATABASE_URL",
    "Postgres to use instead of the embedded one",
    address("postgres", "postgresql"),
  ),
  databasePool: setting(
    "CAZI_DATABASE_POOL",
    8,
    integer(1, 100),
    "connections a process opens to Postgres; 1 on the embedded one",
  ),
  dockerHost: setting(
    "DOCKER_HOST",
    "",
    address("unix", "tcp", "http", "https"),
    "Docker engine to use instead of the default socket",
  ),
  publicUrl: setting(
    "CAZI_PUBLIC_URL",
    "",
    publicAddress,
    "where the API is reached from outside: the issuer of workload tokens; unset: where it listens",
  ),
  masterKey: secretSetting(
    "CAZI_MASTER_KEY",
    "what stored secrets are sealed under, at least 32 characters, the same for every control plane; unset: one made at first start, in CAZI_HOME/master-key",
  ),
  workloadAudiences: setting<readonly string[]>(
    "CAZI_WORKLOAD_AUDIENCES",
    [],
    list,
    "audiences of workload tokens besides the issuer, separated by commas",
  ),
  keyLeadMs: duration(
    "CAZI_KEY_LEAD_SECONDS",
    900_000,
    "time that a new signing key is published before it signs; verifiers keep keys for 10 minutes",
  ),
  keyRotateDays: setting(
    "CAZI_KEY_ROTATE_DAYS",
    30,
    integer(0, 3650),
    "age at which the signing key of workload tokens is replaced; 0: never",
  ),
  url: setting("CAZI_URL", "", text, "API that the command line talks to; unset: the one of CAZI_HOME"),
  token: secretSetting("CAZI_TOKEN", "bearer token of the command line; unset: the one in CAZI_HOME/token"),
  tenant: setting(
    "CAZI_TENANT",
    "default",
    text,
    "the installation's own tenant: that of the token in CAZI_HOME; its admins administer the installation",
  ),
  otlpEndpoint: setting(
    "OTEL_EXPORTER_OTLP_ENDPOINT",
    "",
    address("http", "https"),
    "OTLP/HTTP collector that traces are sent to (/v1/traces is added); unset: nothing is traced",
  ),
  otlpTracesEndpoint: setting(
    "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
    "",
    address("http", "https"),
    "the same for traces alone, used as it is",
  ),
  otlpHeaders: secretSetting(
    "OTEL_EXPORTER_OTLP_HEADERS",
    "headers sent to that collector: name=value, separated by commas, percent-encoded",
  ),
  otelServiceName: setting("OTEL_SERVICE_NAME", "cazi", text, "name of this service in traces"),
  ack: setting(
    "CAZI_ACK",
    "auto",
    oneOf("auto", "published", "projected"),
    "what an acknowledged submit means: stored in NATS, or in Postgres as well",
  ),
  ackWaitMs: duration("CAZI_ACK_WAIT_SECONDS", 10_000, "longest wait for that acknowledgement"),
  projectorLagMax: setting(
    "CAZI_PROJECTOR_LAG_MAX",
    100_000,
    integer(1, 1e9),
    "events the read models may be behind before submits are refused",
  ),
  rateLimitToken: setting(
    "CAZI_RATE_LIMIT_TOKEN",
    0,
    integer(0, 1e6),
    "requests a second that one token may send to the API, twice as many at once; 0: no limit",
  ),
  rateLimitTenant: setting(
    "CAZI_RATE_LIMIT_TENANT",
    0,
    integer(0, 1e6),
    "requests a second of all tokens of a tenant together; 0: no limit",
  ),
  rateLimitAuthFailures: setting(
    "CAZI_RATE_LIMIT_AUTH_FAILURES",
    60,
    integer(0, 1e6),
    "wrong tokens a minute that one address may send; 0: no limit",
  ),
  ...peopleSettings,
  ...modelSettings,
  ...artifactSettings,
  ...nodeSettings,
  ...sinkSettings,
  priorityPointMs: duration(
    "CAZI_PRIORITY_POINT_SECONDS",
    10_000,
    "waiting that weighs as much as one point of a pending task's priority",
  ),
  beatMs: duration("CAZI_BEAT_SECONDS", 5_000, "time between a node's beats"),
  leaseMs: duration("CAZI_LEASE_SECONDS", 10_000, "life of a role's lease without renewal"),
  nodeOfflineMs: duration("CAZI_NODE_OFFLINE_SECONDS", 30_000, "silence after which a node is offline"),
  nodeLostGraceMs: duration(
    "CAZI_NODE_LOST_GRACE_SECONDS",
    60_000,
    "further silence after which its attempts are lost",
  ),
  claimLimitMs: duration("CAZI_CLAIM_LIMIT_SECONDS", 30_000, "time a node has to take an offer"),
  startLimitMs: duration(
    "CAZI_START_LIMIT_SECONDS",
    600_000,
    "time from grant to container start, image pull included",
  ),
  stopGraceMs: duration("CAZI_STOP_GRACE_SECONDS", 10_000, "time between SIGTERM and SIGKILL"),
  dueMarginMs: duration(
    "CAZI_DUE_MARGIN_SECONDS",
    30_000,
    "time beyond a node's own limit before the control plane acts on it",
  ),
} as const satisfies Record<string, Setting<unknown>>;

/** The settings in force. Names ending in `Ms` are milliseconds. */
export type Config = {
  readonly [K in keyof typeof settings]: ReturnType<(typeof settings)[K]["parse"]>;
};

/** Where a value came from, and how it may be shown. */
export interface ShownSetting {
  readonly variable: string;
  readonly value: string;
  readonly origin: "default" | "environment" | "file";
  readonly about: string;
}

/**
 * Reads the settings from `env`. A secret may come from a file named by `<VARIABLE>_FILE`.
 * @throws Rejection `CONFIG_INVALID` naming the variable, or a `CAZI_*` variable that does not exist
 */
export function loadConfig(
  env: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
): { config: Config; shown: readonly ShownSetting[]; given: ReadonlySet<keyof Config> } {
  refuseUnknown(env);
  const values: Record<string, unknown> = {};
  const shown: ShownSetting[] = [];
  const given = new Set<keyof Config>();
  for (const [name, one] of Object.entries(settings) as [keyof Config, Setting<unknown>][]) {
    const file = one.secret ? env[`${one.variable}_FILE`] : undefined;
    const raw = env[one.variable] || (file ? readFile(file).trim() : undefined);
    if (raw) given.add(name);
    const value = raw ? parsed(one, raw) : one.fallback;
    values[name] = value;
    shown.push({
      variable: one.variable,
      value: one.secret && value !== "" ? "(hidden)" : display(one, value),
      origin: !raw ? "default" : env[one.variable] ? "environment" : "file",
      about: one.about,
    });
  }
  return { config: values as Config, shown, given };
}

function parsed(one: Setting<unknown>, raw: string): unknown {
  try {
    return one.parse(raw);
  } catch (error) {
    throw new Rejection("CONFIG_INVALID", `${one.variable} ${(error as Error).message}`, {
      hint: `${one.variable}: ${one.about}. Unset it to use the default, ${display(one, one.fallback) || "none"}.`,
    });
  }
}

/** What a container is given, or `cazi agent` alone reads: no settings, and no mistake where other programs of Cazi run beside. */
const OF_OTHERS: ReadonlySet<string> = new Set([
  "CAZI_TASK_ID",
  "CAZI_ATTEMPT",
  "CAZI_WORKLOAD_TOKEN",
  "CAZI_ARTIFACT_URL",
  "CAZI_SECRETS",
  "CAZI_PROCESS_IMAGE",
]);

function refuseUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set<string>(
    Object.values(settings).flatMap((one) => [one.variable, `${one.variable}_FILE`]),
  );
  const unknown = Object.keys(env).find(
    (key) => key.startsWith("CAZI_") && !known.has(key) && !OF_OTHERS.has(key),
  );
  if (unknown === undefined) return;
  throw new Rejection("CONFIG_INVALID", `${unknown} is not a setting`, {
    hint: "`cazi config` lists the settings; unset this one or correct its name.",
  });
}

function display(one: Setting<unknown>, value: unknown): string {
  if (one.show) return one.show(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
