import { Rejection } from "../../kernel/errors.ts";
import { derivedId, newId } from "../../kernel/ids.ts";
import { idempotencyKeyCharsMax } from "../limits.ts";
import type { Principal } from "../ports.ts";

/** The identity of a creating request. */
export interface Creation {
  readonly key: string;
  /** True when the caller gave the key. */
  readonly keyGiven: boolean;
  /** Id of what is created: follows from tenant, principal, route and key, so a repeat meets what is there. */
  readonly id: string;
}

/**
 * The id that a creating request gives, by its key. Without one the server makes a key, which a caller that
 * was left in doubt is told: repeating with it is safe.
 * @param route the template of the request, such as `POST /v1/tasks`
 * @throws Rejection `IDEMPOTENCY_KEY_INVALID`
 */
export function creationOf(request: {
  readonly principal: Principal;
  readonly route: string;
  readonly header: string | readonly string[] | undefined;
  readonly nowMs: number;
}): Creation {
  const { principal, route, header, nowMs } = request;
  const key = header === undefined ? newId(nowMs) : validKey(header);
  const id = derivedId(principal.tenant, principal.actor, route, key);
  return { key, keyGiven: header !== undefined, id };
}

function validKey(header: string | readonly string[]): string {
  if (
    typeof header === "string" &&
    header.length <= idempotencyKeyCharsMax &&
    /^[\x21-\x7e]+$/.test(header)
  ) {
    return header;
  }
  throw new Rejection("IDEMPOTENCY_KEY_INVALID", "The Idempotency-Key cannot be used.", {
    hint: `Send it once, with 1 to ${idempotencyKeyCharsMax} printable ASCII characters and no spaces.`,
  });
}
