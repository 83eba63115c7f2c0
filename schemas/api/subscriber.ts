/** Outside subscribers of the feed, as the API takes and shows them. Credentials are the command line's to make. */
import { z } from "zod";
import { timestamp } from "./timestamp.ts";

export const subscriberParams = z.object({
  name: z
    .string()
    .regex(/^[a-z0-9][a-z0-9_-]{0,62}$/, { error: "must be a subscriber's name" })
    .describe("A subscriber's name, within its tenant."),
});

export const subscriber = z
  .object({
    tenant: z.string(),
    name: z.string(),
    stream: z.string().describe("The feed's stream."),
    consumer: z.string().describe("What it fetches from; its filter is the tenant's feed."),
    account: z.string().describe("Public key of its NATS account."),
    state: z
      .enum(["active", "ended"])
      .describe("ended: its tenant was removed, and it reads nothing any more."),
    waiting: z
      .number()
      .int()
      .nonnegative()
      .nullable()
      .describe("Events that it has not been given yet; null where it has no consumer."),
    unacknowledged: z
      .number()
      .int()
      .nonnegative()
      .nullable()
      .describe("Events that it was given and has not acknowledged; null where it has no consumer."),
    created_at: timestamp,
    created_by: z.string(),
    changed_at: timestamp,
    changed_by: z.string(),
  })
  .meta({ description: "An outside subscriber of a tenant's feed on NATS." });
export type Subscriber = z.output<typeof subscriber>;

export const subscriberList = z.object({ data: z.array(subscriber) });

const account = z.string().regex(/^A[A-Z2-7]{55}$/, { error: "must be the public key of a NATS account" });

export const putSubscriber = z.strictObject({
  account: account.describe("Public key of its NATS account, which is announced after this."),
  replaces: account
    .nullable()
    .default(null)
    .describe("The account that it has now, which was revoked before this; null for a new subscriber."),
});
export type PutSubscriber = z.output<typeof putSubscriber>;
