import { Retryable } from "../../../kernel/errors.ts";

/** The engine answered, and the answer is a failure. */
export interface EngineRefusal {
  readonly status: number;
  /** The engine's own sentence. */
  readonly message: string;
}

/**
 * Does one engine call. What the engine answered with a failure status comes back as a value; a connection that
 * failed is thrown.
 * @throws Retryable `ENGINE_UNREACHABLE`
 */
export async function callEngine<T>(
  work: () => Promise<T>,
): Promise<{ readonly ok: true; readonly value: T } | ({ readonly ok: false } & EngineRefusal)> {
  try {
    return { ok: true, value: await work() };
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal !== null) return { ok: false, ...refusal };
    throw unreachable(error);
  }
}

/** The engine's answer in an error of its client, or null when there was none. */
export function toRefusal(error: unknown): EngineRefusal | null {
  const { statusCode, json } = error as { statusCode?: unknown; json?: { message?: unknown } | null };
  if (typeof statusCode !== "number") return null;
  const told = json?.message;
  const message = typeof told === "string" ? told : withoutPrefix(error);
  return { status: statusCode, message: message.trim() };
}

/** Of an answer that is a stream the client gives the sentence only inside one of its own. */
function withoutPrefix(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error);
  return text.replace(/^\(HTTP code \d+\) [^-]*- /, "");
}

export function unreachable(cause: unknown): Retryable {
  const why = cause instanceof Error ? cause.message : String(cause);
  return new Retryable("ENGINE_UNREACHABLE", `the Docker engine does not answer: ${why}`, {
    cause,
    hint: "Start the engine, or set DOCKER_HOST to where it listens.",
  });
}
