import { cpusDefault, memoryDefault } from "../spec/limits.ts";
import { parseMemorySize } from "../spec/memorySize.ts";
import { programOf, type SpecWithProgram, toolsNeeded } from "../spec/programOf.ts";

/** What a task asks of the scheduler, as its spec says it. Pure. */

/** Where a task may run. */
export interface Placement {
  readonly selector: { readonly node: string | null; readonly labels: Readonly<Record<string, string>> };
  readonly tags: readonly string[];
  readonly network: string;
  readonly mounts: readonly { readonly source: string }[];
  /** Tools of a script; null: it runs in a container. */
  readonly scriptTools: readonly string[] | null;
}

/**
 * Tasks of one kind may run on the same nodes: their tenant and placement are equal. One object a kind, so that
 * what is known of a kind is found by identity.
 */
export interface Kind {
  readonly tenant: string;
  /** One object for all tenants. */
  readonly placement: Placement;
}

/** What is counted on a node. CPUs are whole billionths, so that sums of fractions are exact. */
export interface Room {
  readonly slots: number;
  readonly nanoCpus: number;
  readonly memoryBytes: number;
}

export interface Wish {
  readonly kind: Kind;
  /** One slot, and what the container may use. */
  readonly needs: Room;
  readonly priority: number;
  /** `id` is the key together with its tenant. */
  readonly concurrency: { readonly id: string; readonly key: string; readonly limit: number } | null;
}

/** The part of a spec that scheduling reads. Specs stored by earlier versions lack fields that came later. */
export interface SchedulingSpec extends Partial<Omit<Placement, "scriptTools">>, SpecWithProgram {
  readonly resources?: { readonly cpus: number; readonly memory: number };
  readonly priority?: number;
  readonly concurrency_key?: string | null;
  readonly concurrency_limit?: number;
}

export const nanoCpus = (cpus: number) => Math.round(cpus * 1e9);
export const cpusOf = (nano: number) => nano / 1e9;

/** Beyond this the table begins anew; tasks keep the objects that they have. */
const KINDS_MAX = 20_000;
const memoryBytesDefault = parseMemorySize(memoryDefault) as number;

/** Reads wishes, giving tasks of one kind and one placement the same objects. */
export class WishReader {
  readonly #kinds = new Map<string, Kind>();
  readonly #placements = new Map<string, Placement>();

  /** @param spec canonical JSON of a WorkloadSpec */
  readText(tenant: string, spec: string): Wish {
    return this.read(tenant, JSON.parse(spec || "{}") as SchedulingSpec);
  }

  read(tenant: string, spec: SchedulingSpec): Wish {
    const { cpus, memory } = spec.resources ?? { cpus: cpusDefault, memory: memoryBytesDefault };
    const key = spec.concurrency_key ?? null;
    return {
      kind: this.#kind(tenant, spec),
      needs: { slots: 1, nanoCpus: nanoCpus(cpus), memoryBytes: memory },
      priority: spec.priority ?? 0,
      concurrency: key === null ? null : { id: `${tenant} ${key}`, key, limit: spec.concurrency_limit ?? 1 },
    };
  }

  #kind(tenant: string, spec: SchedulingSpec): Kind {
    const { node = null, labels = {} } = spec.selector ?? {};
    const { tags = [], network = "bridge", mounts = [] } = spec;
    const sources = mounts.map(({ source }) => source);
    const program = programOf(spec);
    const scriptTools = program === null ? null : toolsNeeded(program);
    // A canonical spec has its names in order, so equal placements have equal texts.
    const text = JSON.stringify([node, labels, tags, network, sources, scriptTools]);
    const placement = interned(this.#placements, text, () => ({
      selector: { node, labels },
      tags,
      network,
      mounts: sources.map((source) => ({ source })),
      scriptTools,
    }));
    return interned(this.#kinds, `${tenant} ${text}`, () => ({ tenant, placement }));
  }
}

function interned<T>(table: Map<string, T>, text: string, make: () => T): T {
  const known = table.get(text);
  if (known !== undefined) return known;
  if (table.size >= KINDS_MAX) table.clear();
  const made = make();
  table.set(text, made);
  return made;
}
