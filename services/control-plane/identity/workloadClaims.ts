/** What a workload token says. Field names are those on the wire. Pure. */
import { z } from "zod";
import type { PlacedTask } from "../../domain/task/taskState.ts";

/** The part of the token that is Cazi's own. */
export const caziClaims = z.object({
  tenant: z.string(),
  task: z.string(),
  attempt: z.number().int().positive(),
  fence: z.string(),
  node: z.string(),
  /** Who answers for it: a person where one is known, never an agent that acted for one. */
  person: z.string(),
  /** Who submitted it. */
  actor: z.string(),
  route: z.string(),
  spec_digest: z.string(),
});
export type CaziClaims = z.output<typeof caziClaims>;

export interface WorkloadClaims {
  readonly iss: string;
  readonly sub: string;
  readonly aud: readonly string[];
  readonly iat: number;
  readonly nbf: number;
  readonly exp: number;
  readonly jti: string;
  readonly cazi: CaziClaims;
}

/** Verifiers' clocks may be this far behind; seconds. */
export const CLOCK_SKEW_SECONDS = 60;

/**
 * The claims of an attempt's token: it names the attempt by its fence and ends when the attempt can run no more.
 * @param of times in milliseconds
 */
export function workloadClaims(
  state: PlacedTask,
  of: {
    readonly tenant: string;
    readonly task: string;
    readonly issuer: string;
    readonly audience: readonly string[];
    readonly now: number;
    readonly startLimitMs: number;
    readonly stopGraceMs: number;
  },
): WorkloadClaims {
  const { tenant, task, issuer, audience, now } = of;
  const { who, fence, node, attempt, spec_digest, limits } = state;
  const iat = Math.floor(now / 1000);
  return {
    iss: issuer,
    sub: `tenant:${tenant}:task:${task}`,
    aud: [...audience],
    iat,
    nbf: iat - CLOCK_SKEW_SECONDS,
    exp: Math.ceil((now + of.startLimitMs + limits.timeout_ms + of.stopGraceMs) / 1000),
    jti: fence,
    cazi: {
      tenant,
      task,
      attempt,
      fence,
      node,
      person: who.accountable ?? who.actor,
      actor: who.actor,
      route: who.route,
      spec_digest,
    },
  };
}
