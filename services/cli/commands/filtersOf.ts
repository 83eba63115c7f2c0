import type { ListOptions } from "../../kernel/client/apiClient.ts";
import { Rejection } from "../../kernel/errors.ts";
import { timeOf } from "../timeOf.ts";

/** The options that tasks are selected by. */
export interface FilterOptions {
  readonly status?: readonly string[];
  readonly label?: readonly string[];
  readonly name?: string;
  readonly image?: string;
  readonly node?: string;
  readonly replayOf?: string;
  readonly reason?: string;
  readonly exitCode?: number;
  readonly since?: string;
  readonly until?: string;
}

/** What a caller of the API sends for them. @throws Rejection `USAGE` for what is no time */
export function filtersOf(options: FilterOptions, nowMs: number): Omit<ListOptions, "limit" | "cursor"> {
  const { label, name, image, node, reason, since, until } = options;
  return {
    // The server knows which there are, and says so.
    status: options.status as ListOptions["status"],
    ...{ label, name, image, node, reason },
    replay_of: options.replayOf,
    exit_code: options.exitCode,
    submitted_after: since === undefined ? undefined : timeOf(since, nowMs),
    submitted_before: until === undefined ? undefined : timeOf(until, nowMs),
  };
}

/** What a command for one task or for many needs. @throws Rejection `USAGE` for an id and filters, or neither */
export function requireOneOrMany(
  id: string | undefined,
  options: FilterOptions & { readonly yes?: true; readonly dryRun?: true },
): void {
  const { status, label, name, image, node, replayOf, reason, exitCode, since, until } = options;
  const filters = [status, label, name, image, node, replayOf, reason, exitCode, since, until];
  const many = filters.some((one) => one !== undefined);
  if (id === undefined ? many : !many && !options.dryRun) return;
  if (id === undefined) {
    throw new Rejection(
      "USAGE",
      "which task? Give its id, or say which tasks with --status, --label, --since and so on",
    );
  }
  throw new Rejection(
    "USAGE",
    "an id is one task: leave it out to select several, or leave out what selects",
  );
}
