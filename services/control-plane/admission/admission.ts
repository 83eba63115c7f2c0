/** Who may ask how much: the hook that every request passes, and its first filling with token buckets. */
import type { Config } from "../../kernel/config.ts";
import { authFailureKeysMax, knownTokensMax, rateBurstSeconds, rateKeysMax } from "../limits.ts";
import type { Principal } from "../ports.ts";
import { type Buckets, createBuckets } from "./buckets.ts";

/** How a limit stands after a request. */
export interface LimitState {
  /** `token`, `tenant` or `authentication`. */
  readonly limit: string;
  /** What may come at once. */
  readonly quota: number;
  /** Seconds in which that much comes anew. */
  readonly windowSeconds: number;
  readonly remaining: number;
}

export type Admitted =
  | { readonly ok: true; readonly states: readonly LimitState[] }
  | {
      readonly ok: false;
      readonly limit: string;
      readonly retryAfterMs: number;
      readonly states: readonly LimitState[];
    };

export interface Admission {
  /** Asked once a request is known to be of `principal`. */
  admit(request: {
    readonly principal: Principal;
    /** Stands for the token; not the token. */
    readonly token: string;
    /** Template, such as `/v1/tasks/:id`. */
    readonly route: string;
    /** 1 for an ordinary request. */
    readonly cost: number;
  }): Admitted;
  /**
   * Asked before a token is looked up. One that was good before passes; the others of an address share what it
   * may get wrong, and {@link Admission.wasGood} gives it back.
   */
  admitUnknown(request: { readonly address: string; readonly token: string }): Admitted;
  wasGood(request: { readonly address: string; readonly token: string }): void;
}

/** Requests a second for a token and for a tenant, failures a minute for an address; 0 is no limit. */
export type AdmissionLimits = Pick<Config, "rateLimitToken" | "rateLimitTenant" | "rateLimitAuthFailures">;

const letIn: Admitted = { ok: true, states: [] };

export function createAdmission(limits: AdmissionLimits, monotonicMs: () => number): Admission {
  const bucketsOf = (perSecond: number, burst: number, keysMax: number) =>
    perSecond === 0 ? null : createBuckets({ burst, perSecond }, { keysMax, monotonicMs });
  const { rateLimitToken, rateLimitTenant, rateLimitAuthFailures } = limits;
  const tokens = bucketsOf(rateLimitToken, rateLimitToken * rateBurstSeconds, rateKeysMax);
  const tenants = bucketsOf(rateLimitTenant, rateLimitTenant * rateBurstSeconds, rateKeysMax);
  const failures = bucketsOf(rateLimitAuthFailures / 60, rateLimitAuthFailures, authFailureKeysMax);
  const good = new Set<string>();

  return {
    admit: ({ principal, token, cost }) =>
      admitBy(
        [
          { limit: "token", buckets: tokens, key: token },
          { limit: "tenant", buckets: tenants, key: principal.tenant },
        ],
        cost,
      ),
    admitUnknown: ({ address, token }) => {
      if (failures === null || good.has(token)) return letIn;
      const limit = { limit: "authentication", buckets: failures, key: networkOf(address) };
      const asked = admitBy([limit], 1);
      // How it stands is of no use to one whose token is right.
      return asked.ok ? letIn : asked;
    },
    wasGood: ({ address, token }) => {
      if (failures === null || good.has(token)) return;
      failures.give(networkOf(address), 1);
      if (good.size >= knownTokensMax) good.delete(good.values().next().value!);
      good.add(token);
    },
  };
}

interface Limit {
  readonly limit: string;
  readonly buckets: Buckets | null;
  readonly key: string;
}

/** All of them or none: what a later one refuses costs nothing of an earlier one. */
function admitBy(limits: readonly Limit[], cost: number): Admitted {
  const inForce = limits.flatMap((one) => (one.buckets === null ? [] : [{ ...one, buckets: one.buckets }]));
  if (inForce.length === 0) return letIn;
  const states = () =>
    inForce.map(({ limit, buckets, key }) => ({
      limit,
      quota: buckets.rule.burst,
      windowSeconds: Math.ceil(buckets.rule.burst / buckets.rule.perSecond),
      remaining: Math.floor(buckets.level(key)),
    }));
  for (const [index, { limit, buckets, key }] of inForce.entries()) {
    const retryAfterMs = buckets.take(key, cost);
    if (retryAfterMs === 0) continue;
    for (const earlier of inForce.slice(0, index)) earlier.buckets.give(earlier.key, cost);
    return { ok: false, limit, retryAfterMs, states: states() };
  }
  return { ok: true, states: states() };
}

/** An address of version 6 stands for its /64: whoever has one has all of them. */
export function networkOf(address: string): string {
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/i.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(":")) return address;
  const [before = "", after] = address.split("%", 1)[0]!.split("::");
  const head = before === "" ? [] : before.split(":");
  const tail = after === undefined || after === "" ? [] : after.split(":");
  const zeros =
    after === undefined ? [] : new Array<string>(Math.max(0, 8 - head.length - tail.length)).fill("0");
  return `${[...head, ...zeros, ...tail].slice(0, 4).join(":")}::/64`;
}
