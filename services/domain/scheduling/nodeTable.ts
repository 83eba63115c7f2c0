import type { NodeView } from "./nodeView.ts";
import type { Kind, Placement } from "./placement.ts";
import { isUsableBy, placementMisfit } from "./rules.ts";

/** Where a task is looked for a node, in the fixed order: the first of these that the task states is its tier. */
export type Tier = "node" | "labels" | "tags" | "any";

/**
 * The tier of a task follows from the task alone, never from the nodes there are: a task that names a node waits
 * for that node and is not tried on those of a later tier. What it states beside its tier still holds.
 */
export function tierOf({ selector, tags }: Placement): Tier {
  if (selector.node !== null) return "node";
  if (Object.keys(selector.labels).length > 0) return "labels";
  return tags.length > 0 ? "tags" : "any";
}

/**
 * The nodes, found by what tiers ask for. Nodes have positions, in the order of their names.
 *
 * What a kind's nodes are is looked up once and kept until a node says something new of itself.
 */
export class NodeTable {
  #views: readonly NodeView[] = [];
  #all: readonly number[] = [];
  readonly #byName = new Map<string, number>();
  readonly #byLabel = new Map<string, number[]>();
  readonly #byTag = new Map<string, number[]>();
  #eligible = new WeakMap<Kind, readonly number[]>();
  #fitting = new WeakMap<Placement, readonly number[]>();
  #anyRestricted = false;
  #version = 0;

  /** Grows when a node comes, goes, or says something new of itself. */
  get version(): number {
    return this.#version;
  }

  get views(): readonly NodeView[] {
    return this.#views;
  }

  /** @param views in any order; a node that is unchanged is the same object */
  update(views: readonly NodeView[]): this {
    const same = views.length === this.#views.length && views.every((view) => this.find(view.node) === view);
    if (same) return this;
    this.#views = [...views].sort((a, b) => (a.node < b.node ? -1 : 1));
    this.#all = this.#views.map((_view, position) => position);
    for (const index of [this.#byName, this.#byLabel, this.#byTag]) index.clear();
    this.#eligible = new WeakMap();
    this.#fitting = new WeakMap();
    this.#anyRestricted = views.some(({ tenants }) => tenants !== null);
    this.#version++;
    for (const [position, view] of this.#views.entries()) {
      this.#byName.set(view.node, position);
      for (const label of Object.entries(view.labels)) add(this.#byLabel, pair(label), position);
      for (const tag of view.tags) add(this.#byTag, tag, position);
    }
    return this;
  }

  /** -1 for a node that is not there. */
  position(node: string): number {
    return this.#byName.get(node) ?? -1;
  }

  find(node: string): NodeView | undefined {
    const position = this.#byName.get(node);
    return position === undefined ? undefined : this.#views[position];
  }

  /** Positions of the nodes that the tier names, before any other rule. */
  candidates(placement: Placement): readonly number[] {
    const { selector, tags } = placement;
    switch (tierOf(placement)) {
      case "node": {
        const position = this.#byName.get(selector.node!);
        return position === undefined ? [] : [position];
      }
      case "labels":
        return inAll(Object.entries(selector.labels).map((label) => this.#byLabel.get(pair(label)) ?? []));
      case "tags":
        return inAll(tags.map((tag) => this.#byTag.get(tag) ?? []));
      default:
        return this.#all;
    }
  }

  /** Positions of the nodes that may run tasks of this kind when they have room and are online. */
  eligible(kind: Kind): readonly number[] {
    const known = this.#eligible.get(kind);
    if (known) return known;
    const fitting = this.#fittingOf(kind.placement);
    const eligible = this.#anyRestricted
      ? fitting.filter((position) => isUsableBy(kind.tenant, this.#views[position]!))
      : fitting;
    this.#eligible.set(kind, eligible);
    return eligible;
  }

  #fittingOf(placement: Placement): readonly number[] {
    const known = this.#fitting.get(placement);
    if (known) return known;
    const fitting = this.candidates(placement).filter(
      (position) => placementMisfit(placement, this.#views[position]!) === null,
    );
    this.#fitting.set(placement, fitting);
    return fitting;
  }
}

const pair = ([name, value]: readonly [string, string]) => `${name}=${value}`;

function add(index: Map<string, number[]>, key: string, position: number): void {
  const list = index.get(key);
  if (list) list.push(position);
  else index.set(key, [position]);
}

/** What all lists hold, walking the shortest. */
function inAll(lists: readonly (readonly number[])[]): readonly number[] {
  const [shortest = [], ...others] = [...lists].sort((a, b) => a.length - b.length);
  const sets = others.map((list) => new Set(list));
  return shortest.filter((position) => sets.every((set) => set.has(position)));
}
