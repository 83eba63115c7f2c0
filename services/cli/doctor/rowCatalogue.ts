/**
 * Every row that doctor can print, as data: docs/doctor.md is made from here, and a test holds each row to the tests
 * that back it. An enforced row is backed by a test that attacks it.
 */

export const sections = {
  versions: "Versions",
  running: "What runs",
  durability: "What an acknowledgement survives",
  containers: "What a task's container may not do",
  doors: "Who may come in",
} as const;
export type Section = keyof typeof sections;

interface CatalogueRow {
  readonly section: Section;
  /** What is looked at, for people who read a row for the first time. */
  readonly about: string;
  /** Tests, as `file: title`. */
  readonly tests: readonly string[];
}

const unit = "services/cli/doctor/doctor.test.ts";
const attacks = "test/attacks.int.test.ts";
const app = "services/control-plane/buildApp.test.ts";
const operator =
  "test/e2e/operator.e2e.test.ts: is told by doctor what it all stands on and what is not enforced";
const stores =
  "deploy/compose/metrics/metrics.int.test.ts: is told the same by doctor, which only reads: the dead letter, who has caught up, what Postgres syncs";

const row = (section: Section, about: string, ...tests: string[]): CatalogueRow => ({
  section,
  about,
  tests,
});

export const rowCatalogue = {
  cazi: row("versions", "Cazi and the Node that runs it.", operator),
  engine: row(
    "versions",
    "The Docker engine that this machine's node uses.",
    operator,
    `${unit}: names what an engine does not enforce`,
  ),
  containerd: row("versions", "What the engine runs containers with.", operator),
  runc: row(
    "versions",
    "The program that makes containers, and whether this version is known to let one out.",
    `${unit}: flags a runc from which a container is known to get out, unless its package has the fix`,
  ),
  nats: row(
    "versions",
    "The NATS server, and what its version cannot do.",
    operator,
    `${unit}: says what an old NATS server cannot do`,
  ),
  postgres: row("versions", "The Postgres that holds the read models and the copy of the ledger.", operator),

  api: row(
    "running",
    "Whether the API answers and is ready.",
    operator,
    `${unit}: works while nothing runs, and says what could not be looked at`,
  ),
  ledger: row(
    "running",
    "Whether the ledger holds everything that Postgres has a copy of.",
    `${unit}: calls a ledger that lost events failing, and one that Postgres agrees with complete`,
    "test/e2e/ledgerRegression.e2e.test.ts: an older copy of the ledger's data takes no submit, and readyz says why",
  ),
  projector: row(
    "running",
    "How far Postgres is behind the ledger.",
    `${unit}: tells how far Postgres and the feed are behind`,
    stores,
  ),
  feed: row(
    "running",
    "How far the public feed is behind the ledger.",
    `${unit}: tells how far Postgres and the feed are behind`,
    stores,
  ),
  erasure: row(
    "running",
    "Whether everything is gone of tasks whose ttl has passed, and who holds that up.",
    `${unit}: names the reader that has held up erasure for a minute`,
    "test/erasure.int.test.ts: waits for a reader that is silent, which is named, and nothing of it is deleted meanwhile",
  ),
  dead_letters: row(
    "running",
    "Messages that could never be handled.",
    `${unit}: warns of dead letters`,
    "deploy/compose/metrics/metrics.int.test.ts: shows a report that is delivered again and again, and then the dead letter that becomes of it",
  ),
  artifacts: row(
    "running",
    "Where containers publish files, asked for from this machine.",
    `${unit}: says where containers publish files, whether that answers, and who cannot reach it`,
  ),
  artifact_room: row(
    "running",
    "How full the bucket of artifacts is.",
    `${unit}: warns of a bucket of artifacts that is nearly full`,
    stores,
  ),
  clocks: row(
    "running",
    "Whether the clocks of Postgres, NATS and the nodes agree with this machine's.",
    `${unit}: warns of clocks that differ`,
    stores,
  ),
  disk: row(
    "running",
    "Room on the disk of the home.",
    `${unit}: warns of a disk that fills, and fails on one that is full`,
  ),
  left_containers: row(
    "running",
    "Containers of this instance on the engine.",
    `${unit}: names containers that were left running`,
  ),

  acknowledgement: row(
    "durability",
    "What a submit waits for before it is acknowledged.",
    operator,
    `${unit}: says that the embedded parts do not cover a power cut`,
  ),
  kill: row(
    "durability",
    "What a kill of any process loses.",
    "test/e2e/killEverything.e2e.test.ts: tasks that waited for a slot run, and one that was acknowledged a moment before does too",
    "test/e2e/killEverything.e2e.test.ts: a task that was printing goes on, ends once, with its true exit code and every byte",
    "test/support/servers.int.test.ts: keeps acknowledged messages through a kill -9",
    "test/support/servers.int.test.ts: begins empty and keeps committed rows through a kill -9",
  ),
  power_cut: row(
    "durability",
    "What a power cut loses. No test cuts the power: this follows from what is synced.",
    `${unit}: counts a synced Postgres where submits wait for it, and no number of servers that may not sync`,
  ),
  postgres_sync: row(
    "durability",
    "Whether Postgres waits for its disk.",
    `${unit}: counts a synced Postgres where submits wait for it, and no number of servers that may not sync`,
    stores,
  ),
  nats_replicas: row(
    "durability",
    "How many NATS servers keep each event, and what their version may lose of it when the leader is stopped or cut off.",
    `${unit}: says of a cluster what its version may lose when the leader is stopped or cut off, and what Postgres has of it`,
  ),

  capabilities: row(
    "containers",
    "All capabilities are dropped.",
    `${attacks}: has no capability, as root as well: no mount, chroot, device node, raw socket, chown or change of user`,
  ),
  no_new_privileges: row(
    "containers",
    "A setuid program gains nothing.",
    `${attacks}: gains nothing from a setuid program of root, which without no-new-privileges would make it root`,
  ),
  seccomp: row(
    "containers",
    "System calls are filtered by the engine's default profile.",
    `${attacks}: is kept by the filter of system calls from namespaces of its own`,
    `${unit}: names what an engine does not enforce`,
  ),
  mandatory_access: row(
    "containers",
    "AppArmor or SELinux confines containers as well.",
    `${unit}: names what an engine does not enforce`,
  ),
  user_namespace: row(
    "containers",
    "Root in a container is not root of the host.",
    `${unit}: names what an engine does not enforce`,
  ),
  pids: row(
    "containers",
    "The number of processes is bounded.",
    `${attacks}: makes no more processes than it may, with a fork bomb`,
  ),
  memory: row(
    "containers",
    "Memory is bounded, without swap on top.",
    `${attacks}: is ended when it takes more memory than it may, and reported as out of memory`,
  ),
  cpu: row(
    "containers",
    "Processor time is bounded.",
    `${attacks}: gets no more processor than it may, and few files and no core dump`,
  ),
  network: row(
    "containers",
    "Whether tasks reach the network.",
    `${attacks}: reaches nothing on the network none: no route, no link but its own, no metadata service`,
  ),
  mounts: row(
    "containers",
    "Only what the node's allowlist names may be mounted.",
    `${attacks}: mounts nothing outside the allowlist: no path, no link out of it, no climb, no socket of the engine`,
    "services/node-agent/runtimes/docker/mountRules.test.ts: are followed before the decision, so that a link out of the allowlist is refused",
  ),
  engine_socket: row(
    "containers",
    "No container reaches the engine, a device or a process of the host.",
    `${attacks}: finds no socket of the engine, no device and no process of the host`,
  ),
  read_only_root: row(
    "containers",
    "A root that is read-only where the spec asks for it.",
    `${attacks}: writes nothing to a root that is read-only, and runs nothing from its /tmp`,
  ),
  output_cap: row(
    "containers",
    "Output beyond the cap is counted, not kept.",
    "services/node-agent/runtimes/docker/dockerNode.int.test.ts: cuts a line of 100 MB at the cap, counts the rest, and keeps its own memory flat",
  ),

  token: row(
    "doors",
    "Everything but probes asks for a token.",
    `${app}: asks for a token on everything but the probes and the API's description`,
    operator,
  ),
  host_header: row(
    "doors",
    "A page under a foreign name does not reach the API (DNS rebinding).",
    `${app}: answers to no host name but loopback's while it listens there, with a token or without`,
    "test/e2e/badInput.e2e.test.ts: is refused under the name of another site, with or without a token",
  ),
  row_security: row(
    "doors",
    "Whether Postgres itself keeps each tenant's rows from the others.",
    "services/kernel/postgres/rowSecurity.int.test.ts: is forced, with a policy for each role, on every table that has a tenant",
    "services/kernel/postgres/rowSecurity.int.test.ts: shows a transaction the rows of its tenant, and none where no tenant is set",
    `${unit}: fails a database that does not keep tenants apart, and names what is open`,
    operator,
  ),
  home: row(
    "doors",
    "The home, its token and its keys belong to one user.",
    `${attacks}: who is another user reads neither the token nor a key in the home`,
    `${unit}: fails a token that others can read`,
  ),
  master_key: row(
    "doors",
    "What stored secrets are sealed under, and who keeps it.",
    "services/kernel/sealing/masterKey.test.ts: does not open under another secret, nor with one bit changed, nor cut, nor of another format",
    `${unit}: says where the master key is, and that no other copy is known of`,
  ),
  signing_keys: row(
    "doors",
    "The keys that workload tokens are signed with, and when they change.",
    "services/control-plane/identity/identity.int.test.ts: are one key for replicas that begin at the same time, and another master key is told of at the start",
    `${unit}: says which key signs, since when, and whether it is replaced by itself`,
  ),
  nats_accounts: row(
    "doors",
    "Who reaches the NATS server must have credentials; subscribers and standalone nodes have accounts of their own.",
    `${attacks}: without credentials is sent away by the NATS server`,
    "test/subscriberAccount.int.test.ts: cannot write to the ledger or to the feed",
    "test/subscriberAccount.int.test.ts: cannot name a subject of the ledger as the reply to what it may ask",
    "test/nodeAccount.int.test.ts: cannot name a subject of the services as the reply to what it may say and ask",
    "test/nodeAccount.int.test.ts: reaches nothing of another node, nor of the services",
  ),
  metrics: row(
    "doors",
    "Whether /metrics asks for a token.",
    "services/control-plane/routes/metricsRoute.test.ts: is open, closed or not there as it is set",
  ),
} as const satisfies Record<string, CatalogueRow>;

export type RowId = keyof typeof rowCatalogue;
