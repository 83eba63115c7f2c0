import { createHash } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";

/** Enough of a SHA-256 that no two answers of one address share it. */
const DIGEST_CHARS = 16;

/**
 * Answers JSON with a strong ETag, or 304 and no body to one who has that very answer. The tag is the place in the
 * ledger, where there is one, and a digest of the body: what a task shows beside its history (why it is pending,
 * fields of a newer version) changes the tag too.
 * @param answer.position see {@link positionOfTag}; null where the answer shows no single task
 */
export function sendTagged(
  request: FastifyRequest,
  reply: FastifyReply,
  answer: { readonly value: unknown; readonly position: string | null },
): FastifyReply {
  const body = JSON.stringify(answer.value);
  const digest = createHash("sha256").update(body).digest("base64url").slice(0, DIGEST_CHARS);
  const tag = answer.position === null ? `"${digest}"` : `"${answer.position}-${digest}"`;
  reply.header("ETag", tag).header("Cache-Control", "private, no-cache");
  if (hasTag(request.headers["if-none-match"], tag)) return reply.code(304).send();
  return reply.type("application/json; charset=utf-8").send(body);
}

/** True when a header `If-None-Match` names the tag. The comparison is the weak one there (RFC 9110, 13.1.2). */
export function hasTag(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  return header.trim() === "*" || tagsOf(header).some((one) => one.replace(/^W\//, "") === tag);
}

/** The tags that a header lists. */
export function tagsOf(header: string): readonly string[] {
  return header.match(/(?:W\/)?"[\x21\x23-\x7e]*"/g) ?? [];
}

/** The position in a task's tag; null in a weak tag, which names no single version, and in another's. */
export function positionOfTag(tag: string): string | null {
  return /^"([0-9a-f]+\.\d+)-[\w-]+"$/.exec(tag)?.[1] ?? null;
}
