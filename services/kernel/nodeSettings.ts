import { decimal, integer, list, memorySize, oneOf, pairs, setting, text } from "./setting.ts";

/** Of the machine that runs attempts. */
export const nodeSettings = {
  node: setting("CAZI_NODE", "local", text, "name of this node"),
  nodeRuntime: setting(
    "CAZI_NODE_RUNTIME",
    "docker",
    oneOf("docker", "compartment", "noop"),
    "what runs attempts on this node; compartment: scripts alone, without an engine",
  ),
  nodeScripts: setting(
    "CAZI_NODE_SCRIPTS",
    "on",
    oneOf("on", "off"),
    "whether this node runs scripts beside containers",
  ),
  nodeScriptTools: setting(
    "CAZI_NODE_SCRIPT_TOOLS",
    [] as readonly string[],
    list,
    "tools that reach outside and that scripts on this node may be given, such as osv.query,github.pr.read; * for all with an address of their own",
  ),
  nodeScriptCommands: setting(
    "CAZI_NODE_SCRIPT_COMMANDS",
    {} as Readonly<Record<string, string>>,
    pairs,
    "programs of this machine that the tool process may run for scripts, name=/path",
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
  nodeDiskHighPercent: setting(
    "CAZI_NODE_DISK_HIGH_PERCENT",
    85,
    integer(0, 100),
    "how full the engine's disk is when this node begins to remove images that it pulled, the longest unused first; 0: never",
  ),
  nodeDiskLowPercent: setting(
    "CAZI_NODE_DISK_LOW_PERCENT",
    75,
    integer(0, 100),
    "how full it is when that ends",
  ),
  nodeImageMaxAgeDays: setting(
    "CAZI_NODE_IMAGE_MAX_AGE_DAYS",
    0,
    integer(0, 36_500),
    "days unused after which an image that this node pulled goes, however much room there is; 0: never",
  ),
  onDisconnect: setting(
    "CAZI_ON_DISCONNECT",
    "keep",
    oneOf("keep", "kill"),
    "what a node cut off from NATS does with its containers before the grace ends",
  ),
} as const;
