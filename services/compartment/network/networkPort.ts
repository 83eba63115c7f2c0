/** One bounded request to one address. Redirects are not followed: whoever is asked must answer. */

export interface NetworkRequest {
  readonly url: string;
  readonly method: "GET" | "POST";
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
  readonly signal: AbortSignal;
}

export interface NetworkAnswer {
  readonly status: number;
  /** Seconds that the server asks to wait, or null. */
  readonly retryAfterSeconds: number | null;
  readonly text: string;
}

export interface NetworkPort {
  /** @throws NetworkFault when there is no whole answer */
  send(request: NetworkRequest): Promise<NetworkAnswer>;
}

export class NetworkFault extends Error {
  override readonly name = "NetworkFault";
  /** `unreachable` may be tried again; `too_large` is the same next time. */
  readonly kind: "unreachable" | "too_large";
  constructor(kind: NetworkFault["kind"], cause?: unknown) {
    super(kind, { cause });
    this.kind = kind;
  }
}

/** Larger answers are not read to their end; a result that a program may have is far smaller. */
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

export const systemNetwork: NetworkPort = {
  async send({ url, method, headers, body, signal }) {
    try {
      const answer = await fetch(url, { method, headers, body, signal, redirect: "manual" });
      const retryAfter = Number(answer.headers.get("retry-after") ?? Number.NaN);
      return {
        status: answer.status,
        retryAfterSeconds: Number.isFinite(retryAfter) && retryAfter >= 0 ? retryAfter : null,
        text: await textOf(answer),
      };
    } catch (error) {
      if (error instanceof NetworkFault) throw error;
      throw new NetworkFault("unreachable", error);
    }
  },
};

async function textOf(answer: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of answer.body ?? []) {
    bytes += chunk.length;
    if (bytes > ANSWER_BYTES_MAX) throw new NetworkFault("too_large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}
