import { isUtf8 } from "node:buffer";
import type { ApiDeadLetter, ApiDeadLetterWhole } from "../../../schemas/api/deadLetter.ts";
import type { Page } from "../../../schemas/api/page.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { Who } from "../../domain/task/taskState.ts";
import type { DeadLetter } from "../../kernel/deadLetters/deadLetter.ts";
import type { DeadLetters } from "../../kernel/deadLetters/deadLetters.ts";
import { CaziError, Rejection, Retryable } from "../../kernel/errors.ts";
import type { Principal } from "../ports.ts";

/** A page of those that the caller may know of. @throws Rejection `CURSOR_INVALID`; Retryable `DEAD_LETTERS_UNAVAILABLE` */
export function pageOfDeadLetters(
  dead: DeadLetters,
  caller: Principal,
  query: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<ApiDeadLetter>> {
  const after = query.cursor === undefined ? 0 : Number(query.cursor);
  if (!Number.isSafeInteger(after) || after < 0) {
    throw new Rejection("CURSOR_INVALID", "The cursor is none that this list gave.", {
      hint: "Begin again without a cursor.",
    });
  }
  return answered(async () => {
    const isFor = (letter: DeadLetter) => isOf(letter, caller);
    const { letters, next } = await dead.list({ after, max: query.limit, isFor });
    return { data: letters.map(viewOf), next_cursor: next === null ? null : String(next) };
  });
}

/** One of them, whole. @throws Rejection `DEAD_LETTER_NOT_FOUND`; Retryable `DEAD_LETTERS_UNAVAILABLE` */
export async function deadLetterOf(
  dead: DeadLetters,
  caller: Principal,
  id: string,
): Promise<ApiDeadLetterWhole> {
  const letter = await find(dead, caller, id);
  const bytes = Buffer.from(letter.bytes);
  const isText = isUtf8(bytes);
  return {
    ...viewOf(letter),
    text: isText ? bytes.toString("utf8") : null,
    base64: isText ? null : bytes.toString("base64"),
  };
}

/** Sends it on its way again. @throws as {@link deadLetterOf} */
export async function resendDeadLetter(
  dead: DeadLetters,
  by: { readonly caller: Principal; readonly who: Who },
  id: string,
): Promise<ApiDeadLetter> {
  const letter = await find(dead, by.caller, id);
  // Asked twice, or by two at once: it is under way, once.
  if (!letter.resending && !(await answered(() => dead.resend(letter, by.who)))) throw notFound();
  return { ...viewOf(letter), resending: true };
}

/** Removes it for good. @throws as {@link deadLetterOf} */
export async function dropDeadLetter(dead: DeadLetters, caller: Principal, id: string): Promise<void> {
  const letter = await find(dead, caller, id);
  await answered(() => dead.drop(letter.seq));
}

async function find(dead: DeadLetters, caller: Principal, id: string): Promise<DeadLetter> {
  const letter = await answered(() => dead.find(Number(id)));
  if (letter === null || !isOf(letter, caller)) throw notFound();
  return letter;
}

/** A tenant's own; what belongs to none is for the installation's. */
function isOf(letter: DeadLetter, { tenant, installation }: Principal): boolean {
  return letter.tenant === null ? installation === true : letter.tenant === tenant;
}

function viewOf(letter: DeadLetter): ApiDeadLetter {
  const { seq, kind, at, reason, tenant, task, sink, node, resending, bytes } = letter;
  const of = { kind, reason, tenant, task, sink, node, resending };
  return { id: String(seq), at: toTimestamp(at), ...of, bytes: bytes.length };
}

function notFound(): Rejection {
  return new Rejection("DEAD_LETTER_NOT_FOUND", "There is no such dead letter.", {
    hint: "`cazi dead list` shows those that there are; one that was sent again in vain has another id.",
  });
}

async function answered<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (cause) {
    if (cause instanceof CaziError) throw cause;
    throw new Retryable("DEAD_LETTERS_UNAVAILABLE", "The dead letters cannot be read or changed now.", {
      cause,
      hint: "Send the request again.",
    });
  }
}
