/** Words for tests of the scheduling pass: nodes, tasks, what a pass decides, and both as text. */
import type { LiveTask } from "../live/liveTasks.ts";
import { GivenTask, START, submit } from "../task/givenTask.ts";
import type { PendingTask, PlacedTask } from "../task/taskState.ts";
import { explainPending } from "./explainPending.ts";
import { NodeTable } from "./nodeTable.ts";
import { type NodeView, offersOf } from "./nodeView.ts";
import { PassMemory } from "./passMemory.ts";
import type { SchedulingSpec } from "./placement.ts";
import { Rooms } from "./rooms.ts";
import { SchedulingIndex } from "./schedulingIndex.ts";
import { type PassResult, schedulingPass } from "./schedulingPass.ts";

export const GiB = 1024 ** 3;
export const POINT_MS = 10_000;

interface GivenNode extends Partial<Omit<NodeView, "offers">> {
  readonly slots?: number;
  readonly offered_cpus?: number;
  readonly online?: boolean;
}

interface GivenSpec extends Omit<SchedulingSpec, "selector"> {
  readonly selector?: { readonly node?: string; readonly labels?: Readonly<Record<string, string>> };
}

export interface GivenTaskOptions {
  readonly tenant?: string;
  readonly waitedSeconds?: number;
  /** It is there already. */
  readonly on?: string;
  readonly state?: Partial<PendingTask>;
}

/** Tasks by name, with `now` as the time of the next pass. */
export class GivenCluster {
  now = START + 1_000_000_000;
  readonly index = new SchedulingIndex(POINT_MS);
  readonly table = new NodeTable();
  readonly #memory = new PassMemory();
  readonly tasks = new Map<string, LiveTask>();
  readonly #nodes = new Map<string, NodeView>();
  readonly #online = new Set<string>();
  #told: [string, string][] = [];

  /** A node of 4 slots, 4 CPUs and 8 GiB unless said otherwise. */
  node(node: string, { slots = 4, offered_cpus, online = true, ...more }: GivenNode = {}): this {
    const { cpus = 4, memory_bytes = 8 * GiB } = more;
    this.#nodes.set(node, {
      node,
      labels: {},
      tags: [],
      tenants: null,
      networks: ["bridge", "none"],
      mount_allowlist: [],
      unavailable: null,
      ...more,
      cpus,
      memory_bytes,
      offers: offersOf({ slots, cpus, memory_bytes, offered_cpus: offered_cpus ?? null }),
    });
    if (online) this.#online.add(node);
    else this.#online.delete(node);
    this.table.update([...this.#nodes.values()]);
    return this;
  }

  /** A pending task of one CPU and 512 MiB unless said otherwise. */
  task(task: string, spec: GivenSpec = {}, options: GivenTaskOptions = {}): this {
    const { tenant = "acme", waitedSeconds = 0, on, state = {} } = options;
    const submitted_at = this.now - waitedSeconds * 1000;
    const given = new GivenTask();
    given.when(submit());
    const pending = { ...(given.state as PendingTask), submitted_at, ...state };
    const placed = on === undefined ? null : { ...pending, status: "running", node: on, fence: "1.x" };
    const { selector = {}, ...others } = spec;
    const whole = { ...others, selector: { node: selector.node ?? null, labels: selector.labels ?? {} } };
    const live: LiveTask = {
      tenant,
      task,
      state: (placed ?? pending) as PendingTask | PlacedTask,
      seq: 1,
      since: submitted_at,
      spec: JSON.stringify(whole),
    };
    this.tasks.set(task, live);
    this.index.changed(task, live);
    const asked = Object.entries(spec).map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    const facts = [tenant, ...(waitedSeconds > 0 ? [`waited ${waitedSeconds} s`] : []), ...asked];
    this.#told.push([task, (on === undefined ? facts : [`on ${on}`, ...facts]).join(", ")]);
    return this;
  }

  /** It is over. */
  end(task: string): this {
    this.tasks.delete(task);
    this.index.changed(task, undefined);
    return this;
  }

  /** The node is heard of no more, or again. */
  turn(node: string): this {
    if (!this.#online.delete(node)) this.#online.add(node);
    return this;
  }

  /** Decides, and takes the room of what was decided. What earlier passes found out must not matter to it. */
  pass(placementsMax = 1_000): PassResult["placements"] {
    const decide = (memory: PassMemory) =>
      schedulingPass({
        now: this.now,
        nodes: this.table,
        isOnline: (node) => this.#online.has(node),
        index: this.index,
        memory,
        placementsMax,
      });
    const anew = decide(new PassMemory());
    const result = decide(this.#memory);
    if (text(anew) !== text(result)) throw new Error(`${text(anew)} becomes ${text(result)} by memory`);
    this.index.held = result.held;
    for (const { task, node } of result.placements) this.index.reserve(task, node, this.now);
    return result.placements;
  }

  /** `task → node`, one a line. */
  placed(): readonly string[] {
    return this.pass().map(({ task, node }) => `${task} → ${node}`);
  }

  why(task: string) {
    const waiting = this.index.waiting(task)!;
    const isOnline = (node: string) => this.#online.has(node);
    const { table: nodes, index, now } = this;
    const rooms = new Rooms(nodes, { isOnline, useOf: (node) => index.useOf(node) });
    const of = { id: task, wish: waiting.wish, notBefore: waiting.notBefore };
    return explainPending(of, { now, nodes, rooms, isOnline, index });
  }

  /** What is there, what a pass decides, and why the rest waits. */
  printPass(): string {
    const nodes = this.table.views.map((view) => [view.node, this.#nodeText(view)] as const);
    const tasks = this.#told;
    this.#told = [];
    const placements = this.pass();
    const gone = new Set(placements.map(({ task }) => task));
    const waits = [...this.tasks.values()]
      .filter(({ task, state }) => state.status === "pending" && !gone.has(task))
      .flatMap(({ task }) => this.#whyText(task));
    return [
      section("nodes", nodes),
      section("tasks", tasks),
      section(
        "placed",
        placements.map(({ task, node }) => [task, node]),
      ),
      section("waiting", waits),
    ].join("\n");
  }

  #whyText(task: string): (readonly [string, string])[] {
    const reason = this.why(task);
    if (reason === null) return [[task, "a node would take it now"]];
    const more = reason.more_nodes > 0 ? [["", `and ${reason.more_nodes} more`] as const] : [];
    const nodes = reason.nodes.map((one) => ["", `${one.node} [${one.rule}] ${one.message}`] as const);
    return [[task, reason.message], ...(reason.nodes.length > 1 ? nodes : []), ...more];
  }

  #nodeText(view: NodeView): string {
    const { offers, labels, tags, tenants, unavailable } = view;
    const facts = [
      `${offers.slots} slots, ${offers.nanoCpus / 1e9} of ${view.cpus} CPUs, ${offers.memoryBytes / GiB} GiB`,
      ...Object.entries(labels).map(([name, value]) => `${name}=${value}`),
      ...tags.map((tag) => `tag ${tag}`),
      ...(tenants === null ? [] : [`only ${tenants.join(" and ")}`]),
      ...(this.#online.has(view.node) ? [] : ["offline"]),
      ...(unavailable === null ? [] : [`unavailable: ${unavailable}`]),
    ];
    return facts.join(", ");
  }
}

function text({ placements, held }: PassResult): string {
  return JSON.stringify([placements, [...held]]);
}

function section(title: string, rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(0, ...rows.map(([name]) => name.length));
  const lines = rows.map(([name, text]) => `  ${name.padEnd(width)}  ${text}`);
  return [title, ...(lines.length > 0 ? lines : ["  (none)"]), ""].join("\n");
}
