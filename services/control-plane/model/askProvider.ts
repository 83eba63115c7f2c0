/** One bounded request to the model's address. Redirects are not followed, and nothing is tried twice. */
import { answerBytesMax } from "./limits.ts";

export interface Provider {
  readonly url: string;
  readonly key: string;
}

export type ProviderAnswer =
  | {
      readonly status: number;
      readonly retryAfterSeconds: number | null;
      /** Of a good answer alone: what is said of a failure may show what the key may see. */
      readonly text: string;
    }
  /** Nobody knows what the model did. */
  | { readonly none: "no_answer" | "too_large" };

const MASK = "[REDACTED]";

/** Never rejects. @param body JSON */
export async function askProvider(
  { url, key }: Provider,
  { body, signal }: { readonly body: string; readonly signal: AbortSignal },
): Promise<ProviderAnswer> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json", "user-agent": "cazi" },
      body,
      signal,
      redirect: "manual",
    });
    const after = Number(answer.headers.get("retry-after") ?? Number.NaN);
    const told = { status: answer.status, retryAfterSeconds: after >= 0 ? after : null };
    if (!answer.ok) {
      await answer.body?.cancel();
      return { ...told, text: "" };
    }
    const text = await textOf(answer);
    return text === null ? { none: "too_large" } : { ...told, text: text.replaceAll(key, MASK) };
  } catch {
    return { none: "no_answer" };
  }
}

async function textOf(answer: Response): Promise<string | null> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of answer.body ?? []) {
    bytes += piece.length;
    if (bytes > answerBytesMax) return null;
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
