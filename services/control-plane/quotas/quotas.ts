import { Retryable } from "../../kernel/errors.ts";
import { type Bucket, take } from "../admission/tokenBucket.ts";
import { quotaRetryMs, rateKeysMax } from "../limits.ts";
import type { LimitsInForce } from "../people/tenantLimits.ts";

/** What a tenant may have at once, counted where it is asked for. */
export interface Quotas {
  /**
   * Asked before anything is submitted.
   * @throws Retryable `QUOTA_EXCEEDED` naming `submits_per_minute`, `pending_max` or `stored_bytes_max`
   */
  admitSubmit(tenant: string): Promise<void>;
  /**
   * Asked before a stream of logs or events is opened.
   * @returns what has to be called, once or more often, when it has ended
   * @throws Retryable `QUOTA_EXCEEDED` naming `follows_max`
   */
  openFollow(tenant: string): () => void;
}

/** A limit of 0 is none, and then nothing is counted for it. */
export function createQuotas(ports: {
  readonly limits: (tenant: string) => LimitsInForce;
  /** Tasks that wait for a node. */
  readonly pending: (tenant: string) => number;
  /** Bytes that are kept of its tasks; may be some seconds old. */
  readonly storedBytes: (tenant: string) => Promise<number>;
  readonly monotonicMs: () => number;
}): Quotas {
  const { limits, pending, storedBytes, monotonicMs } = ports;
  const follows = new Map<string, number>();
  const buckets = new Map<string, Bucket>();

  return {
    admitSubmit: async (tenant) => {
      const { pending_max, submits_per_minute, stored_bytes_max } = limits(tenant);
      if (pending_max > 0 && pending(tenant) >= pending_max) {
        throw exceeded({ limit: "pending_max", quota: pending_max, of: "waiting tasks" });
      }
      if (stored_bytes_max > 0 && (await storedBytes(tenant)) >= stored_bytes_max) {
        throw exceeded({ limit: "stored_bytes_max", quota: stored_bytes_max, of: "stored bytes" });
      }
      if (submits_per_minute === 0) return;
      const rule = { burst: submits_per_minute, perSecond: submits_per_minute / 60 };
      const taken = take(rule, buckets.get(tenant) ?? null, monotonicMs(), 1);
      buckets.delete(tenant);
      buckets.set(tenant, taken.bucket);
      if (buckets.size > rateKeysMax) buckets.delete(buckets.keys().next().value!);
      if (taken.ok) return;
      const of = "submits a minute";
      throw exceeded({ limit: "submits_per_minute", quota: submits_per_minute, of }, taken.retryAfterMs);
    },
    openFollow: (tenant) => {
      const { follows_max } = limits(tenant);
      const open = follows.get(tenant) ?? 0;
      if (follows_max > 0 && open >= follows_max) {
        throw exceeded({ limit: "follows_max", quota: follows_max, of: "open streams at this server" });
      }
      follows.set(tenant, open + 1);
      let ended = false;
      return () => {
        if (ended) return;
        ended = true;
        const left = follows.get(tenant)! - 1;
        if (left === 0) follows.delete(tenant);
        else follows.set(tenant, left);
      };
    },
  };
}

function exceeded(
  { limit, quota, of }: { readonly limit: string; readonly quota: number; readonly of: string },
  retryAfterMs = quotaRetryMs,
): Retryable {
  return new Retryable("QUOTA_EXCEEDED", `The tenant has ${quota} ${of}, which is its limit ${limit}.`, {
    hint: `Send the request again in ${Math.ceil(retryAfterMs / 1000)} s, or have an admin of the installation raise ${limit}.`,
    fields: { limit, quota, retry_after_ms: retryAfterMs },
  });
}
