/** KV `subscribers`, key `<tenant>.<name>`: an outside subscriber of the feed. Written by the control plane alone; no secret. */
import { z } from "zod";

export const subscriberEntry = z.object({
  /** Public key of its NATS account. */
  account: z.string(),
  /** Actors, and times in milliseconds since 1970. */
  created_at: z.number().int().nonnegative(),
  created_by: z.string(),
  changed_at: z.number().int().nonnegative(),
  changed_by: z.string(),
  /** Its tenant was removed: it has no consumer any more. */
  ended_at: z.number().int().nonnegative().nullable(),
});
export type SubscriberEntry = z.output<typeof subscriberEntry>;
