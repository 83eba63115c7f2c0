import type { FastifyReply, FastifyRequest } from "fastify";
import { z } from "zod";
import { headers } from "../../../schemas/api/headers.ts";
import { tenantQuery } from "../../../schemas/api/people.ts";
import { derivedId } from "../../kernel/ids.ts";
import { tenantNotFound } from "../people/administerTenants.ts";
import type { CreatingBy, Made } from "../people/people.ts";
import { creationOf } from "../submit/idempotency.ts";
import { principalOf } from "./authenticate.ts";
import { readQuery } from "./readRequest.ts";

export const keyHeader = z.object({
  "idempotency-key": z.string().optional().describe("The same key and request create once, for ever."),
});

/** Codes of every request about a tenant's people. */
export const ofPeople = ["ROLE_TOO_LOW", "REQUEST_INVALID", "TENANT_NOT_FOUND", "DATABASE_UNAVAILABLE"];
/** Codes of requests that create somebody. */
export const ofMaking = ["IDEMPOTENCY_KEY_INVALID", "IDEMPOTENCY_KEY_REUSED", "DATABASE_UNAVAILABLE"];

/**
 * The tenant that a request is about: the caller's own, or for an admin of the installation the one that is named.
 * @throws Rejection `TENANT_NOT_FOUND`, whether or not there is one, to everybody else
 */
export function tenantAsked(request: FastifyRequest, named: string | undefined): string {
  const { tenant, installation, role } = principalOf(request);
  if (named === undefined || named === tenant) return tenant;
  if (installation === true && role === "admin") return named;
  throw tenantNotFound();
}

/** The same for a request that names it in its query. @throws as {@link tenantAsked} and `readQuery` */
export function tenantInQuery(request: FastifyRequest): string {
  return tenantAsked(request, readQuery(tenantQuery, request).tenant);
}

/**
 * Who creates, and the identity of what is created.
 * @param tenant in which; the same key makes another one in another tenant
 * @throws Rejection `IDEMPOTENCY_KEY_INVALID`
 */
export function creatingBy(
  request: FastifyRequest,
  of: { readonly route: string; readonly tenant: string; readonly nowMs: number },
): CreatingBy {
  const principal = principalOf(request);
  const { route, nowMs } = of;
  const { id } = creationOf({ principal, route, header: request.headers["idempotency-key"], nowMs });
  return { actor: principal.actor, creation: derivedId(id, of.tenant) };
}

export function sendMade<T>(
  reply: FastifyReply,
  { value, repeated }: Made<T>,
  location: string,
): FastifyReply {
  if (repeated) reply.header(headers.idempotentReplayed, "true");
  return reply.code(201).header("Location", location).header("Cache-Control", "no-store").send(value);
}

export const madeHeaders = {
  Location: "Its address.",
  [headers.idempotentReplayed]: "true when an earlier request with this key made it.",
};
