import { type QuotaQuestion, quotaAnswer } from "../../../schemas/messages/quota.ts";
import { subjects } from "../../../streams/subjects.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import { quotaAnswerMs, quotaRetryMs } from "../limits.ts";

/**
 * Asks a server of the API whether the tenant may submit one task more, and counts it there.
 * @throws Retryable `QUOTA_EXCEEDED` as the API throws it; `QUOTA_UNKNOWN` where no server of the API answers
 */
export async function askQuota(nats: Pick<Nats, "connection">, tenant: string): Promise<void> {
  const question = JSON.stringify({ tenant } satisfies QuotaQuestion);
  const answered = await nats.connection
    .request(subjects.quotaOfSubmits(), question, { timeout: quotaAnswerMs })
    .then((message) => quotaAnswer.parse(message.json()))
    .catch((cause) => {
      throw new Retryable(
        "QUOTA_UNKNOWN",
        "No server of the API says whether the tenant is within its limits.",
        {
          cause,
          hint: "It is asked again; see that the API runs.",
          fields: { retry_after_ms: quotaRetryMs },
        },
      );
    });
  if (answered.answer === "yes") return;
  const { message, limit, quota, retry_after_ms } = answered;
  throw new Retryable("QUOTA_EXCEEDED", message, { fields: { limit, quota, retry_after_ms } });
}
