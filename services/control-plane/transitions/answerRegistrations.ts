import type { KV, Msg } from "nats";
import {
  type NodeRegistration,
  nodeRegistration,
  type RegisterReply,
} from "../../../schemas/messages/node.ts";
import { claimsConsumer } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import { filters, subjects } from "../../../streams/subjects.ts";
import { boundNode } from "../../domain/scheduling/fleet.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { NodeDirectory } from "../../kernel/nodes/nodeDirectory.ts";

export interface RegistrationPorts {
  readonly nats: Nats;
  readonly nodes: Pick<NodeDirectory, "fleet">;
  readonly log: Log;
}

/** Of one registration; every role keeps all of them in memory. */
const REGISTRATION_BYTES_MAX = 64 * 1024;

/**
 * Answers `register.<node>`: stores what the node says of itself, whole, and tells it what of that counts for nothing.
 * What it may be is decided by whoever reads (`boundNode`), so that a declaration that changes counts at once. Makes the
 * node's consumer of CLAIMS: the node itself may not.
 * @returns how to stop
 */
export function answerRegistrations(ports: RegistrationPorts): () => Promise<void> {
  const { connection, js } = ports.nats;
  let bucket: Promise<KV> | null = null;
  const store = async (registration: NodeRegistration) => {
    bucket ??= js.views.kv("nodes", { bindOnly: true });
    await (await bucket).put(registration.node, JSON.stringify(registration));
  };
  const subscription = connection.subscribe(filters.registrations, { queue: "transitions" });
  void (async () => {
    for await (const message of subscription) void answer(ports, message, store);
  })();
  return () => subscription.drain();
}

/** No answer where it is not stored: the node asks again. */
async function answer(
  ports: RegistrationPorts,
  message: Msg,
  store: (registration: NodeRegistration) => Promise<void>,
): Promise<void> {
  try {
    const reply = await take(ports, message, store);
    if (reply.answer === "refused")
      ports.log.warn({ subject: message.subject, reason: reply.reason }, "a registration is refused");
    message.respond(JSON.stringify(reply));
  } catch (error) {
    ports.log.warn(
      { error, subject: message.subject },
      "a registration could not be stored; the node asks again",
    );
  }
}

async function take(
  { nats, nodes }: RegistrationPorts,
  message: Msg,
  store: (registration: NodeRegistration) => Promise<void>,
): Promise<RegisterReply> {
  const refused = (reason: string): RegisterReply => ({ answer: "refused", reason });
  if (message.data.length > REGISTRATION_BYTES_MAX)
    return refused(`it is longer than ${REGISTRATION_BYTES_MAX} bytes`);
  const read = nodeRegistration.safeParse(parseJson(message));
  if (!read.success) return refused(`it cannot be read: ${read.error.issues[0]?.message ?? "no JSON"}`);
  const { node } = read.data;
  if (message.subject !== subjects.register({ node })) return refused("not your subject");
  const entry = nodes.fleet().get(node);
  if (entry?.state === "removed") return refused("the node was removed");
  await ensureConsumer(nats.jsm, claimsConsumer(node));
  await store(read.data);
  return { answer: "taken", clipped: [...boundNode(read.data, entry).clipped] };
}

function parseJson(message: Msg): unknown {
  try {
    return message.json();
  } catch {
    return null;
  }
}
