import { type Beat, beatReply, type GrantRequest, grantReply } from "../../../schemas/messages/node.ts";
import { subjects } from "../../../streams/subjects.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { beatTimeoutMs, grantTimeoutMs } from "../limits.ts";
import type { ControlPlane } from "../ports.ts";

/** Grants and beats as core requests; each answer comes back on the connection's own inbox. */
export function natsControlPlane(nats: Nats, node: string): ControlPlane {
  const grantSubject = subjects.grant({ node });
  const beatSubject = subjects.beat({ node });
  const ask = async (subject: string, body: object, timeout: number): Promise<unknown> => {
    const message = await nats.connection.request(subject, JSON.stringify(body), { timeout });
    return message.json();
  };
  return {
    grant: async (request: GrantRequest) =>
      grantReply.parse(await ask(grantSubject, request, grantTimeoutMs)),
    beat: async (beat: Beat) => beatReply.parse(await ask(beatSubject, beat, beatTimeoutMs)),
  };
}
