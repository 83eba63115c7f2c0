import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import { Rejection } from "../../kernel/errors.ts";
import type { TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { JsonWebKeySet } from "./keySet.ts";
import { SIGNING_ALGORITHM } from "./signingKey.ts";
import { type CaziClaims, CLOCK_SKEW_SECONDS, caziClaims } from "./workloadClaims.ts";

/** For which attempt a token speaks; only what was verified. */
export type WorkloadIdentity = Pick<CaziClaims, "tenant" | "task" | "attempt" | "fence">;

/**
 * Whom a workload token speaks for, if its attempt is on a node at this moment: the token dies with it.
 * @param audience one of the token's audiences must be this
 * @throws Rejection `WORKLOAD_TOKEN_INVALID`, with the same words whatever is wrong; Retryable `LEDGER_UNAVAILABLE`
 */
export async function verifyWorkloadToken(
  ports: { readonly ledger: Pick<TaskLedger, "load">; readonly keys: JsonWebKeySet; readonly now: number },
  token: string,
  audience: string,
): Promise<WorkloadIdentity> {
  const { tenant, task, attempt, fence, node } = await verifiedClaims(ports, token, audience);
  // The newest state, from the leader: what a follower of the ledger has seen may be a moment too old.
  const { state } = await ports.ledger.load({ tenant, task });
  const isGranted = state.status === "claimed" || state.status === "running";
  if (!isGranted || state.fence !== fence || state.attempt !== attempt || state.node !== node)
    throw invalid();
  return { tenant, task, attempt, fence };
}

async function verifiedClaims(
  ports: { readonly keys: JsonWebKeySet; readonly now: number },
  token: string,
  audience: string,
): Promise<CaziClaims> {
  const getKey: JWTVerifyGetKey = createLocalJWKSet({ keys: [...ports.keys.keys] });
  try {
    const { payload } = await jwtVerify(token, getKey, {
      algorithms: [SIGNING_ALGORITHM],
      audience,
      currentDate: new Date(ports.now),
      clockTolerance: CLOCK_SKEW_SECONDS,
      requiredClaims: ["exp", "nbf", "sub", "jti"],
    });
    const read = caziClaims.safeParse(payload.cazi);
    if (!read.success || payload.jti !== read.data.fence) throw invalid();
    return read.data;
  } catch (cause) {
    throw cause instanceof errors.JOSEError ? invalid(cause) : cause;
  }
}

function invalid(cause?: unknown): Rejection {
  return new Rejection(
    "WORKLOAD_TOKEN_INVALID",
    "The workload token is not one of an attempt that runs now.",
    {
      cause,
      hint: "Send the CAZI_WORKLOAD_TOKEN of the container's environment; it ends with its attempt.",
    },
  );
}
