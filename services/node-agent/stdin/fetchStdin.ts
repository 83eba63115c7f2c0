import { createWriteStream } from "node:fs";
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { pipeline } from "node:stream/promises";
import { logHeaders } from "../../../schemas/messages/node.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import { artifactAnswerBytesMax, artifactIdleMs } from "../limits.ts";
import { readProblem } from "../readProblem.ts";

export interface StdinAccess {
  readonly url: string;
  readonly token: string;
}

export interface FetchedStdin {
  /** Bytes that the task before printed beyond its cap, and that are nowhere. */
  readonly dropped: number;
}

/**
 * Brings the output of the task before into a new file, as it comes.
 * @param signal gives it up
 * @throws Rejection with the code of a refusal that stays; Retryable `STDIN_UNAVAILABLE` for all that may pass
 */
export async function fetchStdin(
  access: StdinAccess,
  path: string,
  signal: AbortSignal,
): Promise<FetchedStdin> {
  try {
    const response = await ask(access, signal);
    if (response.statusCode !== 200) throw await refusalOf(response);
    // A body that is shorter than its length, or breaks off, is an error of the stream.
    await pipeline(response, createWriteStream(path, { flags: "wx", mode: 0o600 }), { signal });
    return { dropped: Number(response.headers[logHeaders.dropped.toLowerCase()] ?? 0) };
  } catch (error) {
    if (error instanceof Rejection || error instanceof Retryable) throw error;
    throw new Retryable(
      "STDIN_UNAVAILABLE",
      `/pipe/stdin could not be fetched: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}

function ask({ url, token }: StdinAccess, signal: AbortSignal): Promise<IncomingMessage> {
  const request = url.startsWith("https:") ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const call = request(
      url,
      { headers: { authorization: `Bearer ${token}` }, agent: false, signal },
      resolve,
    );
    call.setTimeout(artifactIdleMs, () => call.destroy(new Error("no answer")));
    call.on("error", reject);
    call.end();
  });
}

async function refusalOf(response: IncomingMessage): Promise<Rejection | Retryable> {
  const status = response.statusCode ?? 0;
  let body = "";
  response.setEncoding("utf8");
  for await (const piece of response) if (body.length < artifactAnswerBytesMax) body += piece;
  const { code, detail } = readProblem(body);
  const why = `/pipe/stdin could not be fetched: ${code}: ${detail}`;
  const passes = status >= 500 || status === 408 || status === 429;
  return passes ? new Retryable("STDIN_UNAVAILABLE", why) : new Rejection(code, why);
}
