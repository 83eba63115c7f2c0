import type { GrantReply } from "../../../schemas/messages/node.ts";
import { backoffMs, sleep } from "../repeat.ts";
import type { AgentContext } from "./agentContext.ts";
import type { AttemptRecord } from "./attemptRecord.ts";

/** A settled answer, and when on the monotonic clock the request that got it was sent. */
export interface GrantAnswer {
  readonly reply: Exclude<GrantReply, { answer: "later" }>;
  readonly sentAtMs: number;
}

/**
 * Asks until the answer is yes or no: "later" and silence are asked again, for the offer cannot be dropped by
 * this node alone. @throws Abandoned when the agent stops
 */
export async function askGrant(context: AgentContext, attempt: AttemptRecord): Promise<GrantAnswer> {
  for (let tries = 1; ; tries++) {
    const sentAtMs = context.clock.monotonicMs();
    try {
      const reply = await context.control.grant({ ...attempt.ref, node: context.node, decline: null });
      if (reply.answer !== "later") return { reply, sentAtMs };
      context.log.debug({ ...attempt.ref, reason: reply.reason }, "the grant comes later");
    } catch (error) {
      context.log.debug({ ...attempt.ref, error }, "nobody answered the grant request");
    }
    attempt.offer?.working();
    await sleep(backoffMs(tries), context.life);
  }
}
