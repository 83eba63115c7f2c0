import { createHash, timingSafeEqual } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Who } from "../../domain/task/taskState.ts";
import { Rejection } from "../../kernel/errors.ts";
import type { Principal, TokenVerifier } from "../ports.ts";

/** Longer than any token and most sign-ins; a longer header is not worth hashing. */
const HEADER_CHARS_MAX = 8192;

/** SHA-256 of a token: what is stored and compared in its place. */
export function tokenHash(token: string): Buffer {
  return createHash("sha256").update(token).digest();
}

/**
 * Whom a request speaks for.
 * @param authorization the header
 * @throws Rejection `UNAUTHENTICATED`, in the same words whatever is wrong, and as {@link TokenVerifier.verify}; Retryable as {@link TokenVerifier.verify}
 */
export async function authenticate(
  tokens: TokenVerifier,
  authorization: string | undefined,
): Promise<Principal> {
  const token = bearerToken(authorization);
  const found = token === null ? null : await tokens.verify(token);
  if (found !== null) return found;
  throw new Rejection("UNAUTHENTICATED", "A valid bearer token is needed.", {
    hint: "Send `Authorization: Bearer <token>`; the first token is in the file `token` of the server's CAZI_HOME.",
  });
}

/** The token of an `Authorization` header, or null. Pure. */
export function bearerToken(authorization: string | undefined): string | null {
  if (authorization === undefined || authorization.length > HEADER_CHARS_MAX) return null;
  return /^Bearer ([\x21-\x7e]+)$/i.exec(authorization)?.[1] ?? null;
}

/** One token, with every right in its tenant. */
export function oneTokenVerifier(only: {
  readonly token: string;
  readonly principal: Principal;
}): TokenVerifier {
  const wanted = tokenHash(only.token);
  return { verify: (token) => (timingSafeEqual(tokenHash(token), wanted) ? only.principal : null) };
}

const ROUTES: ReadonlySet<string> = new Set(["mcp", "cli"]);

/**
 * Who acts, as it is recorded. The door is what a client says of itself and gives no right; anything but a known
 * one is `rest`.
 */
export function whoIs(principal: Principal, routeHeader: string | readonly string[] | undefined): Who {
  const route = typeof routeHeader === "string" && ROUTES.has(routeHeader) ? routeHeader : "rest";
  return { actor: principal.actor, accountable: principal.accountable ?? null, route };
}

declare module "fastify" {
  interface FastifyRequest {
    /** Set on every route that needs a token. */
    principal: Principal | null;
  }
}

/** The principal of a request on a route that needs a token. */
export function principalOf(request: FastifyRequest): Principal {
  if (request.principal === null) throw new Error("this route was registered without authentication");
  return request.principal;
}
