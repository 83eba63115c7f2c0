import type { KV } from "nats";
import { type FleetEntry, fleetEntry } from "../../../schemas/messages/fleet.ts";
import { filters, token } from "../../../streams/subjects.ts";
import { changeFleet, type FleetChange, type FleetRefusal } from "../../domain/scheduling/fleet.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { asNatsError, isWrongSequence } from "../../kernel/nats/natsError.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";

/** A change as a request asks for it; how much runs there is known here. */
export type AskedChange = Exclude<FleetChange, { kind: "remove" }> | { kind: "remove"; force: boolean };

/** What operators say of nodes. */
export interface Fleet {
  /**
   * @param by the actor
   * @throws Rejection `NODE_NOT_FOUND`, `NODE_NOT_STANDALONE`, `NODE_BUSY`; Retryable `NATS_UNAVAILABLE`
   */
  change(node: string, asked: AskedChange, by: string): Promise<FleetEntry>;
}

interface FleetPorts {
  readonly nats: Nats;
  readonly nodes: NodeDirectory;
  readonly runningOn: (node: string) => number;
  readonly clock: Clock;
  readonly log: Log;
}

/** Writers that meet at one node's entry. */
const TRIES_MAX = 5;
const SEEN_POLL_MS = 10;
const SEEN_BOUND_MS = 1_000;

export function createFleet(ports: FleetPorts): Fleet {
  let bucket: Promise<KV> | null = null;
  const kv = () => {
    bucket ??= ports.nats.js.views.kv("fleet", { bindOnly: true });
    return bucket;
  };
  return {
    change: async (node, asked, by) => {
      try {
        const entry = await write(ports, await kv(), { node: token(node), asked, by });
        if (entry.state === "removed") await sweep(ports, node);
        ports.log.info({ node, change: asked.kind, state: entry.state, by }, "the fleet was changed");
        await seenHere(ports, node, entry);
        return entry;
      } catch (error) {
        throw asNatsError(error);
      }
    },
  };
}

async function write(
  ports: FleetPorts,
  kv: KV,
  { node, asked, by }: { node: string; asked: AskedChange; by: string },
): Promise<FleetEntry> {
  for (let tries = 1; tries <= TRIES_MAX; tries++) {
    const found = await kv.get(node);
    const before = found?.operation === "PUT" ? fleetEntry.parse(found.json()) : undefined;
    const change = asked.kind === "remove" ? { ...asked, running: ports.runningOn(node) } : asked;
    const known = { registered: isRegistered(ports.nodes, node), online: ports.nodes.isOnline(node) };
    const after = changeFleet(before, change, known);
    if (typeof after === "string") throw refusal(after, node);
    const entry: FleetEntry = { ...after, by, changed_at: ports.clock.now() };
    try {
      // Without an account of its own there is nobody to keep out: the name is free again.
      if (entry.state === "removed" && entry.account === null) await kv.delete(node);
      else await kv.put(node, JSON.stringify(entry), { previousSeq: found?.revision ?? 0 });
      return entry;
    } catch (error) {
      if (!isWrongSequence(error)) throw error;
    }
  }
  throw new Retryable("NATS_UNAVAILABLE", `what is declared of node ${node} keeps changing`);
}

function isRegistered(nodes: NodeDirectory, node: string): boolean {
  return [...nodes.registrations()].some((one) => one.node === node);
}

/** Its registration, its consumer and what was offered to it: no service looks there again. */
async function sweep({ nats }: FleetPorts, node: string): Promise<void> {
  const { jsm, js } = nats;
  await jsm.consumers.delete("CLAIMS", node).catch(() => undefined);
  await jsm.streams.purge("CLAIMS", { filter: filters.claimsOf({ node }) });
  await (await js.views.kv("nodes", { bindOnly: true })).delete(node);
}

/** Until this process grants by the change too, so that whoever is answered can count on it; others follow at once. */
async function seenHere({ nodes, clock }: FleetPorts, node: string, entry: FleetEntry): Promise<void> {
  const deadline = clock.monotonicMs() + SEEN_BOUND_MS;
  const isSeen = () => {
    const known = nodes.fleet().get(node);
    if (entry.state === "removed") return (known?.state ?? "removed") === "removed";
    return (known?.changed_at ?? 0) >= entry.changed_at;
  };
  while (!isSeen() && clock.monotonicMs() < deadline) {
    await new Promise((resolve) => setTimeout(resolve, SEEN_POLL_MS));
  }
}

function refusal(code: FleetRefusal, node: string): Rejection {
  switch (code) {
    case "NODE_NOT_FOUND":
      return new Rejection("NODE_NOT_FOUND", `There is no node ${node}.`, {
        hint: "`cazi nodes` lists those there are.",
      });
    case "NODE_NOT_STANDALONE":
      return new Rejection("NODE_NOT_STANDALONE", `Node ${node} lives in the services' own account.`, {
        hint: "Choose another name, or end that node's process first.",
      });
    case "NODE_BUSY":
      return new Rejection("NODE_BUSY", `Attempts are on node ${node}.`, {
        hint: "Drain it first; force cuts them off, and they count as lost.",
      });
  }
}
