import type { KV } from "nats";
import type { Heartbeat, NodeRegistration } from "../../../schemas/messages/node.ts";
import { token } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../ports.ts";

/** The buckets `nodes` and `heartbeats`; made by `streams/`, only used here. */
export function natsDirectory(nats: Nats): NodeDirectory {
  const open = new Map<string, Promise<KV>>();
  const bucket = (name: string) => {
    const known = open.get(name) ?? nats.js.views.kv(name, { bindOnly: true });
    open.set(name, known);
    known.catch(() => open.delete(name));
    return known;
  };
  const put = async (name: string, node: string, value: object) => {
    await (await bucket(name)).put(token(node), JSON.stringify(value));
  };
  return {
    register: (registration: NodeRegistration) => put("nodes", registration.node, registration),
    heartbeat: (heartbeat: Heartbeat) => put("heartbeats", heartbeat.node, heartbeat),
  };
}
