import { nearestName } from "../../domain/spec/nearestName.ts";
import type { ConnectionStore } from "../../kernel/connections/connectionStore.ts";
import { Rejection } from "../../kernel/errors.ts";

/**
 * Sees that every connection a spec names is there.
 * @throws Rejection `CONNECTION_UNKNOWN` naming the nearest that is; Retryable `CONNECTIONS_UNAVAILABLE`
 */
export async function requireConnections(
  connections: Pick<ConnectionStore, "get" | "list">,
  tenant: string,
  names: readonly string[],
): Promise<void> {
  const unknown = (
    await Promise.all(names.map(async (name) => ((await connections.get({ tenant, name })) ? null : name)))
  ).filter((name) => name !== null);
  const [first] = unknown;
  if (first === undefined) return;
  const known = (await connections.list(tenant)).map(({ name }) => name);
  const nearest = nearestName(first, known);
  const hint =
    nearest === null
      ? "An admin stores one with `cazi connection set`; `cazi connection list` shows those that are there."
      : `Did you mean ${nearest}?`;
  throw new Rejection("CONNECTION_UNKNOWN", `There is no connection ${first}.`, {
    hint,
    details: unknown.map((name) => ({
      pointer: `/connections/${names.indexOf(name)}`,
      message: `there is no connection ${name}`,
    })),
  });
}
