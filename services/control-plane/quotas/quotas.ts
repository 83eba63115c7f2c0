import { Retryable } from "../../kernel/errors.ts";
import { type Bucket, take } from "../admission/tokenBucket.ts";
import { quotaRetryMs, rateKeysMax } from "../limits.ts";
import type { LimitsInForce } from "../people/tenantLimits.ts";
import type { WaitingTasks } from "./waitingTasks.ts";

/**
 * What a tenant may have at once. Tasks that wait are those of the ledger, whoever took them; of what is left, and of what each
 * server counts for itself, a server takes the part that is its own among those that are there.
 */
export interface Quotas {
  /**
   * Asked before anything is submitted.
   * @returns what has to be called where the task will not be there; else it counts until the ledger's fold shows it
   * @throws Retryable `QUOTA_EXCEEDED` naming `submits_per_minute`, `pending_max` or `stored_bytes_max`
   */
  admitSubmit(of: { readonly tenant: string; readonly task: string }): Promise<() => void>;
  /**
   * Asked before a stream of logs or events is opened.
   * @returns what has to be called, once or more often, when it has ended
   * @throws Retryable `QUOTA_EXCEEDED` naming `follows_max`
   */
  openFollow(tenant: string): () => void;
}

/** The same for the server that containers publish at. */
export interface UploadQuota {
  /**
   * Asked before a file is stored, `bytes` of it where that is known.
   * @throws Retryable `QUOTA_EXCEEDED` naming `stored_bytes_max`
   */
  admitUpload(tenant: string, bytes: number): Promise<void>;
}

/** The same for tasks that follow on others by themselves; those that wait are counted where they are submitted. */
export interface FollowUpQuota {
  /**
   * Counts a submit.
   * @throws Retryable `QUOTA_EXCEEDED` naming `submits_per_minute` or `stored_bytes_max`
   */
  admitFollowUp(tenant: string): Promise<void>;
}

/** A limit of 0 is none, and then nothing is counted for it. */
export function createQuotas(ports: {
  readonly limits: (tenant: string) => LimitsInForce;
  readonly waiting: WaitingTasks;
  /** Bytes of output and files that are kept of its tasks; may be some seconds old. */
  readonly storedBytes: (tenant: string) => Promise<number>;
  /** Servers of the API that are there, this one included. */
  readonly servers: () => number;
  readonly monotonicMs: () => number;
}): Quotas & UploadQuota & FollowUpQuota {
  const { limits, waiting, storedBytes, servers, monotonicMs } = ports;
  const follows = new Map<string, number>();
  const buckets = new Map<string, Bucket>();

  async function requireStorage(tenant: string, max: number, bytes: number): Promise<void> {
    if (max === 0 || (await storedBytes(tenant)) + bytes <= max) return;
    throw exceeded({ limit: "stored_bytes_max", quota: max, of: "stored bytes" });
  }

  function takeSubmit(tenant: string, perMinute: number): void {
    if (perMinute === 0) return;
    const own = perMinute / servers();
    const rule = { burst: own, perSecond: own / 60 };
    const taken = take(rule, buckets.get(tenant) ?? null, monotonicMs(), 1);
    buckets.delete(tenant);
    buckets.set(tenant, taken.bucket);
    if (buckets.size > rateKeysMax) buckets.delete(buckets.keys().next().value!);
    if (taken.ok) return;
    throw exceeded(
      { limit: "submits_per_minute", quota: perMinute, of: "submits a minute" },
      taken.retryAfterMs,
    );
  }

  async function admitFollowUp(tenant: string): Promise<void> {
    const { submits_per_minute, stored_bytes_max } = limits(tenant);
    // A task prints a byte at the least.
    await requireStorage(tenant, stored_bytes_max, 1);
    takeSubmit(tenant, submits_per_minute);
  }

  return {
    admitSubmit: async (of) => {
      const { tenant } = of;
      const { pending_max } = limits(tenant);
      if (pending_max > 0 && !hasRoom(pending_max, { waiting, tenant, servers: servers() })) {
        throw exceeded({ limit: "pending_max", quota: pending_max, of: "waiting tasks" });
      }
      // Before anything is awaited: others that are asked meanwhile count it.
      const end = pending_max > 0 ? waiting.submit(of) : () => undefined;
      try {
        await admitFollowUp(tenant);
        return end;
      } catch (error) {
        end();
        throw error;
      }
    },
    admitFollowUp,
    admitUpload: (tenant, bytes) => requireStorage(tenant, limits(tenant).stored_bytes_max, bytes),
    openFollow: (tenant) => {
      const { follows_max } = limits(tenant);
      const open = follows.get(tenant) ?? 0;
      if (follows_max > 0 && open >= Math.ceil(follows_max / servers())) {
        throw exceeded({ limit: "follows_max", quota: follows_max, of: "open streams" });
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

/** Of what is left each server may be submitting its part at once, so that a burst at all of them is held as well. */
function hasRoom(
  max: number,
  of: { readonly waiting: WaitingTasks; readonly tenant: string; readonly servers: number },
): boolean {
  const { waiting, tenant, servers } = of;
  return waiting.submitting(tenant) < Math.ceil((max - waiting.count(tenant)) / servers);
}

function exceeded(
  { limit, quota, of }: { readonly limit: string; readonly quota: number; readonly of: string },
  retryAfterMs = quotaRetryMs,
): Retryable {
  return new Retryable("QUOTA_EXCEEDED", `The tenant is at its limit ${limit}: ${quota} ${of}.`, {
    hint: `Send the request again in ${Math.ceil(retryAfterMs / 1000)} s, or have an admin of the installation raise ${limit}.`,
    fields: { limit, quota, retry_after_ms: retryAfterMs },
  });
}
