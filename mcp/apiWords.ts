/** What the API says of its own parameters, in the names of whoever asked. */
import { CaziError, Rejection, Retryable } from "../services/kernel/errors.ts";

/** What stands in the API's refusals, such as the pointer `/after`, by what it is called here, such as `/cursor`. */
export type ApiWords = Readonly<Record<string, string>>;

/** Of the header that two tools have as an argument. */
export const idempotencyKeyWords: ApiWords = { "Idempotency-Key": "idempotency_key" };
/** Of a page of a log: everywhere here a page is asked for by its cursor. */
export const logPageWords: ApiWords = { "/after": "/cursor" };

/**
 * Runs what asks the API.
 * @throws Rejection and Retryable as `work` does, with pointers and sentences that name what the caller sent
 */
export async function inOwnWords<T>(words: ApiWords, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof CaziError ? translated(error, words) : error;
  }
}

function translated(error: CaziError, words: ApiWords): CaziError {
  const say = (text: string) =>
    Object.entries(words).reduce((said, [theirs, ours]) => said.replace(wholeWord(theirs), ours), text);
  const kind = error instanceof Rejection ? Rejection : error instanceof Retryable ? Retryable : null;
  if (kind === null) return error;
  return new kind(error.code, say(error.message), {
    ...(error.hint !== undefined && { hint: say(error.hint) }),
    details: error.details.map(({ pointer, message }) => ({ pointer: say(pointer), message: say(message) })),
    fields: error.fields,
    cause: error,
  });
}

/** Not within a longer name or a path. */
function wholeWord(word: string): RegExp {
  return new RegExp(`(?<![\\w/-])${word}(?![\\w-])`, "g");
}
