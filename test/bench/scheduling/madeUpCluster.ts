/** A cluster under load for the bench of the scheduling pass: every kind of wish, and nodes of several sorts. */
import type { LiveTask } from "../../../services/domain/live/liveTasks.ts";
import { NodeTable } from "../../../services/domain/scheduling/nodeTable.ts";
import { type NodeView, offersOf } from "../../../services/domain/scheduling/nodeView.ts";
import { PassMemory } from "../../../services/domain/scheduling/passMemory.ts";
import type { SchedulingSpec } from "../../../services/domain/scheduling/placement.ts";
import { SchedulingIndex } from "../../../services/domain/scheduling/schedulingIndex.ts";
import { type PassResult, schedulingPass } from "../../../services/domain/scheduling/schedulingPass.ts";
import { GivenTask, START, submit } from "../../../services/domain/task/givenTask.ts";
import type { PendingTask } from "../../../services/domain/task/taskState.ts";

const GiB = 1024 ** 3;
const TENANTS = 50;
/** What one pass of the scheduler places at most. */
const PLACEMENTS_MAX = 256;

export class MadeUpCluster {
  readonly index = new SchedulingIndex(10_000);
  readonly table = new NodeTable();
  readonly pending = new Map<string, LiveTask>();
  readonly running: string[] = [];
  now = START + 1_000_000_000;
  readonly #memory = new PassMemory();
  readonly #random: () => number;
  readonly #state: PendingTask;
  readonly #offline = new Set<string>();
  #count = 0;

  /** @param random from 0 up to 1 */
  constructor(nodes: number, random: () => number) {
    this.#random = random;
    const given = new GivenTask();
    given.when(submit());
    this.#state = given.state as PendingTask;
    this.table.update(Array.from({ length: nodes }, (_, n) => this.#node(n)));
  }

  /** One more that waits, come up to an hour ago. */
  submit(waitedMs = this.#random() * 3_600_000): void {
    const task = `t${++this.#count}`;
    const tenant = `tenant-${Math.floor(this.#random() ** 2 * TENANTS)}`;
    const since = Math.round(this.now - waitedMs);
    const state = { ...this.#state, submitted_at: since };
    const live = { tenant, task, state, seq: this.#count, since, spec: JSON.stringify(this.#spec()) };
    this.pending.set(task, live);
    this.index.changed(task, live);
  }

  /** A running one ends, whichever. */
  end(): void {
    const at = Math.floor(this.#random() * this.running.length);
    const task = this.running[at]!;
    this.running[at] = this.running.at(-1)!;
    this.running.pop();
    this.index.changed(task, undefined);
  }

  pass(): PassResult {
    return schedulingPass({
      now: this.now,
      nodes: this.table,
      isOnline: (node) => !this.#offline.has(node),
      index: this.index,
      memory: this.#memory,
      placementsMax: PLACEMENTS_MAX,
    });
  }

  /** The fold shows what a pass placed. */
  apply({ placements, held }: PassResult): void {
    this.index.held = held;
    for (const { task, node } of placements) {
      const live = this.pending.get(task)!;
      this.index.reserve(task, node, this.now);
      const state = { ...live.state, status: "running", node, fence: "1.x" } as LiveTask["state"];
      this.index.changed(task, { ...live, state });
      this.pending.delete(task);
      this.running.push(task);
    }
  }

  #node(n: number): NodeView {
    const node = `node-${String(n).padStart(4, "0")}`;
    if (n % 20 === 0) this.#offline.add(node);
    const size = { slots: 8, cpus: 8, memory_bytes: 16 * GiB };
    return {
      node,
      labels: { zone: `z${n % 10}`, ...(n % 50 === 1 ? { gpu: "a100" } : {}) },
      tags: [n % 2 ? "ssd" : "disk", ...(n % 3 ? [] : ["eu"])],
      tenants: n % 40 === 2 ? ["tenant-0", "tenant-1"] : null,
      networks: ["bridge", "none"],
      mount_allowlist: n % 4 ? [] : ["/srv/data"],
      cpus: size.cpus,
      memory_bytes: size.memory_bytes,
      offers: offersOf({ ...size, offered_cpus: null, offered_memory_bytes: null }),
      unavailable: null,
    };
  }

  #spec(): SchedulingSpec {
    const one = <T>(...of: readonly T[]) => of[Math.floor(this.#random() * of.length)]!;
    const resources = { cpus: one(0.25, 0.5, 1, 2), memory: one(0.25, 0.5, 1, 2, 6) * GiB };
    const plain = { resources, priority: one(-10, 0, 0, 0, 10, 50) };
    const share = this.#random();
    if (share < 0.4) return plain;
    if (share < 0.6) return { ...plain, selector: { node: null, labels: { zone: one("z1", "z2", "z3") } } };
    if (share < 0.7) return { ...plain, selector: { node: null, labels: { gpu: "a100" } } };
    if (share < 0.8) return { ...plain, tags: one(["ssd"], ["ssd", "eu"], ["tpu"]) };
    const named = `node-${String(Math.floor(this.#random() * 1_000)).padStart(4, "0")}`;
    if (share < 0.85) return { ...plain, selector: { node: named, labels: {} } };
    if (share < 0.9) return { ...plain, mounts: [{ source: "/srv/data/in" }] };
    return {
      ...plain,
      concurrency_key: `key-${Math.floor(this.#random() * 200)}`,
      concurrency_limit: one(1, 2),
    };
  }
}
