/**
 * Every setting of every role, once: its variable, default, meaning and unit. Nothing else reads the
 * environment. No schema library here: the command line loads this file on every call.
 */
import { resolve } from "node:path";
import { parseMemorySize } from "../domain/spec/memorySize.ts";
import { Rejection } from "./errors.ts";

interface Setting<T> {
  readonly variable: string;
  readonly fallback: T;
  readonly about: string;
  readonly secret?: true;
  readonly parse: (text: string) => T;
  /** The value as a user would write it. */
  show?(value: T): string;
}

const text = (value: string) => value;
const path = (value: string) => resolve(value);
const list = (value: string): readonly string[] =>
  value
    .split(",")
    .map((item) => item.trim())
    .filter((item) => item !== "");

function integer(minimum: number, maximum: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a whole number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** A number that may have a fraction. */
function decimal(minimum: number, maximum: number) {
  return (value: string) => {
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < minimum || number > maximum) {
      throw new Error(`must be a number from ${minimum} to ${maximum}`);
    }
    return number;
  };
}

/** Kept as bytes. */
function memorySize(value: string): number {
  const bytes = parseMemorySize(value);
  if (typeof bytes !== "number") throw new Error(bytes.message);
  return bytes;
}

function ports(value: string): readonly number[] {
  return list(value).map(integer(1, 65_535));
}

/** An address with one of the given schemes. The value may hold a password, so it is not repeated. */
function address(...schemes: readonly string[]) {
  return (value: string) => {
    const scheme = /^([a-z]+):\/\/[^\s]/.exec(value)?.[1];
    const known = scheme !== undefined && schemes.includes(scheme);
    if (!known || (scheme !== "unix" && !URL.canParse(value))) {
      throw new Error(
        `must be an address that begins with ${schemes.map((one) => `${one}://`).join(" or ")}`,
      );
    }
    return value;
  };
}

/** Addresses of one service, separated by commas. */
function addresses(...schemes: readonly string[]) {
  const one = address(...schemes);
  return (value: string) => list(value).map(one).join(",");
}

function listenAddress(value: string): string {
  const [, port] = /^(?:[a-zA-Z0-9.-]+|\[[0-9a-fA-F:]+\]):(\d{1,5})$/.exec(value) ?? [];
  if (port === undefined || Number(port) > 65_535 || Number(port) === 0) throw new Error("must be host:port");
  return value;
}

function publicAddress(value: string): string {
  return address("http", "https")(value).replace(/\/+$/, "");
}

/** Seconds, a fraction allowed; kept as milliseconds. */
function seconds(value: string): number {
  const number = Number(value);
  if (!/^\d+(\.\d+)?$/.test(value) || number <= 0 || number > 86_400) {
    throw new Error("must be a number of seconds above 0 and at most 86400");
  }
  return Math.round(number * 1000);
}

function oneOf<const T extends string>(...allowed: readonly T[]) {
  return (value: string): T => {
    const found = allowed.find((item) => item === value);
    if (found === undefined) throw new Error(`must be one of ${allowed.join(", ")}`);
    return found;
  };
}

function pairs(value: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    list(value).map((item) => {
      const at = item.indexOf("=");
      if (at < 1) throw new Error("must be name=value, separated by commas");
      return [item.slice(0, at), item.slice(at + 1)];
    }),
  );
}

function setting<T>(variable: string, fallback: T, parse: (value: string) => T, about: string): Setting<T> {
  return { variable, fallback, parse, about };
}

/** A duration: written in seconds, kept in milliseconds. */
function duration(variable: string, fallbackMs: number, about: string): Setting<number> {
  return { variable, fallback: fallbackMs, parse: seconds, about, show: (ms) => String(ms / 1000) };
}

function secretSetting(variable: string, about: string, parse = text): Setting<string> {
  return { variable, fallback: "", parse, about, secret: true };
}

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
  tenant: setting("CAZI_TENANT", "default", text, "tenant of the first admin token"),
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
  node: setting("CAZI_NODE", "local", text, "name of this node"),
  nodeRuntime: setting(
    "CAZI_NODE_RUNTIME",
    "docker",
    oneOf("docker", "noop"),
    "what runs attempts on this node",
  ),
  nodeSlots: setting("CAZI_NODE_SLOTS", 8, integer(1, 10_000), "attempts this node runs at once"),
  nodeCpus: setting(
    "CAZI_NODE_CPUS",
    0,
    decimal(0, 100_000),
    "CPUs that the tasks on this node may declare together, more than the machine's to overcommit; 0: the machine's, and at least one a slot",
  ),
  nodeMemory: setting(
    "CAZI_NODE_MEMORY",
    0,
    memorySize,
    "memory that they may declare together, such as 12Gi, at most the machine's; 0: all of it",
  ),
  nodeLabels: setting(
    "CAZI_NODE_LABELS",
    {} as Readonly<Record<string, string>>,
    pairs,
    "labels of this node, name=value",
  ),
  nodeTags: setting("CAZI_NODE_TAGS", [] as readonly string[], list, "tags of this node"),
  nodeMounts: setting(
    "CAZI_NODE_MOUNTS",
    [] as readonly string[],
    list,
    "host paths that tasks on this node may mount",
  ),
  nodeNetworks: setting(
    "CAZI_NODE_NETWORKS",
    ["bridge", "none"] as readonly string[],
    list,
    "networks that tasks on this node may ask for",
  ),
  onDisconnect: setting(
    "CAZI_ON_DISCONNECT",
    "keep",
    oneOf("keep", "kill"),
    "what a node cut off from NATS does with its containers before the grace ends",
  ),
  priorityPointMs: duration(
    "CAZI_PRIORITY_POINT_SECONDS",
    10_000,
    "waiting that weighs as much as one point of a pending task's priority",
  ),
  sinkAllowPrivate: setting(
    "CAZI_SINK_ALLOW_PRIVATE",
    [] as readonly string[],
    list,
    "hosts on private addresses that sinks may reach, also over http and on any port: a host, *.domain or *, for one tenant with <tenant>/ before it, separated by commas",
  ),
  sinkPorts: setting<readonly number[]>(
    "CAZI_SINK_PORTS",
    [443, 8443],
    ports,
    "ports on which sinks reach public hosts, separated by commas",
  ),
  sinkFiles: setting(
    "CAZI_SINK_FILES",
    "",
    path,
    "folder that file sinks write to; the API and the sinks role need the same; unset: there are none",
  ),
  sinkTries: setting("CAZI_SINK_TRIES", 8, integer(1, 50), "tries of a sink before it has failed"),
  sinkRetryFirstMs: duration(
    "CAZI_SINK_RETRY_FIRST_SECONDS",
    5_000,
    "time from a task's end to the second try of a sink; each further one waits longer",
  ),
  sinkRetryLastMs: duration(
    "CAZI_SINK_RETRY_LAST_SECONDS",
    3_645_000,
    "time from a task's end to the last try",
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

/** What a container is given: no settings, and no mistake where Cazi's own programs run in one. */
const OF_CONTAINERS: ReadonlySet<string> = new Set([
  "CAZI_TASK_ID",
  "CAZI_ATTEMPT",
  "CAZI_WORKLOAD_TOKEN",
  "CAZI_ARTIFACT_URL",
  "CAZI_SECRETS",
]);

function refuseUnknown(env: Readonly<Record<string, string | undefined>>): void {
  const known = new Set<string>(
    Object.values(settings).flatMap((one) => [one.variable, `${one.variable}_FILE`]),
  );
  const unknown = Object.keys(env).find(
    (key) => key.startsWith("CAZI_") && !known.has(key) && !OF_CONTAINERS.has(key),
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
