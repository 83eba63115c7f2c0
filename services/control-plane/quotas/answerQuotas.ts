import { type QuotaAnswer, quotaQuestion } from "../../../schemas/messages/quota.ts";
import { subjects } from "../../../streams/subjects.ts";
import { CaziError } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { FollowUpQuota } from "./quotas.ts";

/**
 * Answers the sinks role, which submits tasks and counts neither submits nor bytes: one server of the API, whichever is asked,
 * from its own part. Where it cannot tell it stays silent, and is asked again.
 * @returns how to stop
 */
export function answerQuotas(ports: {
  readonly nats: Pick<Nats, "connection">;
  readonly quotas: FollowUpQuota;
  readonly log: Log;
}): () => Promise<void> {
  const { nats, quotas, log } = ports;
  const subscription = nats.connection.subscribe(subjects.quotaOfSubmits(), { queue: "quotas" });
  void (async () => {
    for await (const message of subscription) {
      void answerOf(quotas, message.data).then(
        (answer) => message.respond(JSON.stringify(answer)),
        (error) => log.warn({ error }, "whether a tenant may submit cannot be told; it is asked again"),
      );
    }
  })();
  return () => subscription.drain();
}

async function answerOf(quotas: FollowUpQuota, data: Uint8Array): Promise<QuotaAnswer> {
  const { tenant } = quotaQuestion.parse(JSON.parse(Buffer.from(data).toString()));
  try {
    await quotas.admitFollowUp(tenant);
    return { answer: "yes" };
  } catch (error) {
    if (!(error instanceof CaziError) || error.code !== "QUOTA_EXCEEDED") throw error;
    const { limit, quota, retry_after_ms } = error.fields;
    const fields = { limit: String(limit), quota: Number(quota), retry_after_ms: Number(retry_after_ms) };
    return { answer: "no", message: error.message, ...fields };
  }
}
