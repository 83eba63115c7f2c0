import type { LiveTasks } from "../../domain/live/liveTasks.ts";

/** How many tasks of a tenant wait for a node, and how many this server is about to add. */
export interface WaitingTasks {
  /** In the ledger, as far as the fold has it: whoever submitted them. */
  count(tenant: string): number;
  /** Being submitted here, and not in the fold yet. */
  submitting(tenant: string): number;
  /**
   * Counts a task that is about to be submitted, until the fold shows it.
   * @returns what is called when it will not be there; once or more often
   */
  submit(of: { readonly tenant: string; readonly task: string }): () => void;
}

/** Kept up with the fold. */
export function waitingTasks(tasks: Pick<LiveTasks, "pending" | "watch">): WaitingTasks {
  const waiting = new PerTenant();
  const submitting = new PerTenant();
  for (const { task, tenant } of tasks.pending()) waiting.put(task, tenant);
  tasks.watch((task, now) => {
    submitting.remove(task);
    if (now?.state.status === "pending") waiting.put(task, now.tenant);
    else waiting.remove(task);
  });
  return {
    count: (tenant) => waiting.count(tenant),
    submitting: (tenant) => submitting.count(tenant),
    submit: ({ tenant, task }) => {
      submitting.put(task, tenant);
      return () => submitting.remove(task);
    },
  };
}

/** Tasks, counted by tenant. */
class PerTenant {
  readonly #tenants = new Map<string, string>();
  readonly #counts = new Map<string, number>();

  count(tenant: string): number {
    return this.#counts.get(tenant) ?? 0;
  }

  put(task: string, tenant: string): void {
    if (this.#tenants.has(task)) return;
    this.#tenants.set(task, tenant);
    this.#counts.set(tenant, this.count(tenant) + 1);
  }

  remove(task: string): void {
    const tenant = this.#tenants.get(task);
    if (tenant === undefined) return;
    this.#tenants.delete(task);
    const left = this.count(tenant) - 1;
    if (left === 0) this.#counts.delete(tenant);
    else this.#counts.set(tenant, left);
  }
}
