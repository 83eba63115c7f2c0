import type { Heartbeat, NodeRegistration } from "../../../schemas/messages/node.ts";
import { registerReply } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { heartbeatTimeoutMs, registerTimeoutMs } from "../limits.ts";
import type { NodeDirectory } from "../ports.ts";

/**
 * Registers by a request, so that the control plane decides what of it counts. A sign of life goes straight into its
 * bucket: a control plane that is away must not make its nodes look dead.
 */
export function natsDirectory(nats: Nats): NodeDirectory {
  return {
    register: async (registration: NodeRegistration) => {
      const subject = subjects.register(registration);
      const body = JSON.stringify(registration);
      const answer = await nats.connection.request(subject, body, { timeout: registerTimeoutMs });
      return registerReply.parse(answer.json());
    },
    heartbeat: async (heartbeat: Heartbeat) => {
      const body = JSON.stringify(heartbeat);
      await nats.js.publish(subjects.heartbeat(heartbeat), body, { timeout: heartbeatTimeoutMs });
    },
  };
}
