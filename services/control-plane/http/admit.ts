import type { FastifyReply, FastifyRequest } from "fastify";
import { Retryable } from "../../kernel/errors.ts";
import type { Admitted, LimitState } from "../admission/admission.ts";
import type { ApiPorts, Principal } from "../ports.ts";
import { authenticate, bearerToken, tokenHash } from "./authenticate.ts";

declare module "fastify" {
  interface FastifyContextConfig {
    /** What a request of this route costs of its limits; 1 unless given. */
    cost?: number;
  }
}

type AdmitPorts = Pick<ApiPorts, "tokens" | "admission">;

/**
 * Whom a request speaks for, failures being limited by address.
 * @throws Rejection `UNAUTHENTICATED`; Retryable `RATE_LIMITED`
 */
export async function authenticateRequest(
  ports: AdmitPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  return authenticateKey(ports, request, reply, tokenKey(request));
}

/** @param token as {@link tokenKey} gives it; hashing is a good part of what an answer costs, so it is done once */
async function authenticateKey(
  { tokens, admission }: AdmitPorts,
  request: FastifyRequest,
  reply: FastifyReply,
  token: string,
): Promise<Principal> {
  const unknown = { address: request.ip, token };
  pass(admission.admitUnknown(unknown), reply);
  const principal = await authenticate(tokens, request.headers.authorization);
  admission.wasGood(unknown);
  return principal;
}

/**
 * As {@link authenticateRequest}, and counts the request against the limits of its token and tenant. A route may
 * say in its `config` that it costs more than one.
 */
export async function admitRequest(
  ports: AdmitPorts,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<Principal> {
  const token = tokenKey(request);
  const principal = await authenticateKey(ports, request, reply, token);
  const { url = "", config } = request.routeOptions;
  const { cost = 1 } = config;
  pass(ports.admission.admit({ principal, token, route: url, cost }), reply);
  return principal;
}

/** Stands for the token where it is only counted. */
function tokenKey(request: FastifyRequest): string {
  const token = bearerToken(request.headers.authorization);
  return token === null ? "" : tokenHash(token).toString("base64url");
}

/** Headers of the draft draft-ietf-httpapi-ratelimit-headers: what the limits are, and how they stand. */
function pass(admitted: Admitted, reply: FastifyReply): void {
  if (admitted.states.length > 0) {
    reply.header("RateLimit-Policy", admitted.states.map(policy).join(", "));
    reply.header("RateLimit", admitted.states.map((one) => standing(one, admitted)).join(", "));
  }
  if (admitted.ok) return;
  reply.header("Retry-After", Math.ceil(admitted.retryAfterMs / 1000));
  throw rateLimited(admitted);
}

export function rateLimited({ limit, retryAfterMs }: Extract<Admitted, { ok: false }>): Retryable {
  return new Retryable(
    "RATE_LIMITED",
    `More requests came than the limit "${limit}" allows. Nothing was stored.`,
    {
      hint: `Send the request again in ${(retryAfterMs / 1000).toFixed(1)} s.`,
      fields: { limit, retry_after_ms: retryAfterMs },
    },
  );
}

function policy({ limit, quota, windowSeconds }: LimitState): string {
  return `"${limit}";q=${quota};w=${windowSeconds}`;
}

function standing({ limit, remaining }: LimitState, admitted: Admitted): string {
  const isRefusing = !admitted.ok && admitted.limit === limit;
  return `"${limit}";r=${remaining}${isRefusing ? `;t=${Math.ceil(admitted.retryAfterMs / 1000)}` : ""}`;
}
