/** What the engine is and what it enforces, from what it says of itself. Pure. */
import { type Row, rowOf } from "./row.ts";
import type { RowId } from "./rowCatalogue.ts";
import { flawsOf, isPackaged } from "./runcFlaws.ts";

/** Of `GET /version` and `GET /info`; what an engine leaves out counts as not enforced. */
export interface EngineFacts {
  readonly address: string;
  readonly version: string;
  readonly components: readonly {
    readonly Name: string;
    readonly Version: string;
    /** The package or commit it was built from is here. */
    readonly Details?: Readonly<Record<string, string>> | null;
  }[];
  readonly info: Readonly<Record<string, unknown>>;
}

/** What this node lets tasks ask for. */
export interface NodePolicy {
  readonly mounts: readonly string[];
  readonly networks: readonly string[];
}

/** The rows that stand on the engine, in their order. */
export const engineRowIds = [
  "containerd",
  "runc",
  "capabilities",
  "no_new_privileges",
  "seccomp",
  "mandatory_access",
  "user_namespace",
  "pids",
  "memory",
  "cpu",
  "network",
  "mounts",
  "engine_socket",
  "read_only_root",
  "output_cap",
] as const satisfies readonly RowId[];

export function engineRows(facts: EngineFacts, policy: NodePolicy): Row[] {
  return [
    rowOf("engine", "ok", `Docker ${facts.version} at ${facts.address}`),
    containerdRow(facts),
    runcRow(facts),
    rowOf("capabilities", "ok", "all are dropped, for root as well"),
    rowOf("no_new_privileges", "ok", "set for every container"),
    ...confinement(facts.info),
    ...limits(facts.info),
    networkRow(policy.networks),
    mountsRow(policy.mounts),
    rowOf("engine_socket", "ok", "never mounted; no device, no namespace of the host"),
    rowOf("read_only_root", "ok", "where a spec says read_only; else a container writes to its own layer"),
    rowOf("output_cap", "ok", "16 MiB a stream unless a spec says less or more"),
  ];
}

function componentOf({ components }: EngineFacts, name: string) {
  const found = components.find(({ Name }) => Name === name);
  return found === undefined ? null : { version: found.Version, build: found.Details?.GitCommit ?? "" };
}

function containerdRow(facts: EngineFacts): Row {
  const found = componentOf(facts, "containerd");
  if (found === null) return rowOf("containerd", "unknown", "the engine does not say which it uses");
  return rowOf("containerd", "ok", named(found));
}

function runcRow(facts: EngineFacts): Row {
  const found = componentOf(facts, "runc");
  if (found === null) return rowOf("runc", "unknown", "the engine does not say which it uses");
  const flaws = flawsOf(found.version, found.build);
  if (flaws.length === 0) return rowOf("runc", "ok", named(found));
  const what = flaws.map(({ name, how, fixedIn }) => `${name} (${how}; fixed in ${fixedIn.join(" and ")})`);
  const said = `${named(found)} is older than the fix of ${what.join(", and of ")}`;
  return isPackaged(found.version, found.build)
    ? rowOf(
        "runc",
        "warn",
        `${said}; a distribution may have put the fix into this package, and this one is not known to have it`,
        "See the changelog of the package, such as `apt changelog runc`, and install its newest version.",
      )
    : rowOf("runc", "warn", said, "Install a runc that has the fixes.");
}

function named({ version, build }: { version: string; build: string }): string {
  const told = build.startsWith(version) ? build : version;
  return told;
}

function confinement(info: EngineFacts["info"]): Row[] {
  const options = Array.isArray(info.SecurityOptions) ? info.SecurityOptions.map(String) : [];
  const has = (pattern: RegExp) => options.some((option) => pattern.test(option));
  return [
    has(/seccomp/)
      ? rowOf("seccomp", "ok", "the engine's default filter of system calls is in force")
      : rowOf(
          "seccomp",
          "not_enforced",
          "system calls of containers are not filtered",
          "Use an engine and a kernel with seccomp.",
        ),
    has(/apparmor|selinux/)
      ? rowOf("mandatory_access", "ok", "AppArmor or SELinux confines every container")
      : rowOf(
          "mandatory_access",
          "not_enforced",
          "neither AppArmor nor SELinux confines containers on this engine",
          "Enable the one that the host's distribution brings.",
        ),
    has(/rootless|userns/)
      ? rowOf("user_namespace", "ok", "root in a container is not root of the host")
      : rowOf(
          "user_namespace",
          "not_enforced",
          "root in a container is root of the host, less its capabilities",
          "Set `user` in specs, or run the engine rootless or with userns-remap.",
        ),
  ];
}

function limits(info: EngineFacts["info"]): Row[] {
  const missing = "Enable the missing cgroup controller; until then a task may take more than its spec says.";
  const limit = (id: RowId, enforced: boolean, yes: string, no: string) =>
    enforced ? rowOf(id, "ok", yes) : rowOf(id, "not_enforced", no, missing);
  const memory = info.MemoryLimit === true;
  return [
    limit("pids", info.PidsLimit === true, "256 unless a spec says otherwise", "processes are not counted"),
    limit(
      "memory",
      memory && info.SwapLimit === true,
      "512 MiB unless a spec says otherwise, no swap on top",
      memory ? "memory is bounded, swap on top of it is not" : "memory is not bounded",
    ),
    limit(
      "cpu",
      info.CpuCfsQuota === true,
      "one processor unless a spec says otherwise",
      "processor time is not bounded",
    ),
  ];
}

function networkRow(networks: readonly string[]): Row {
  const reaching = networks.filter((network) => network !== "none");
  if (reaching.length === 0) return rowOf("network", "ok", "this node allows none");
  return rowOf(
    "network",
    "not_enforced",
    `tasks may use ${reaching.join(", ")}, and reach what this machine reaches; \`network: none\` in a spec has no way out`,
    "Where no task needs it, set CAZI_NODE_NETWORKS=none.",
  );
}

function mountsRow(mounts: readonly string[]): Row {
  if (mounts.length === 0) return rowOf("mounts", "ok", "no path of the host may be mounted");
  return rowOf(
    "mounts",
    "ok",
    `only at and below ${mounts.join(", ")}; links are followed before the decision`,
  );
}
