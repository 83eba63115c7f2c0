import { createHash, type Hash } from "node:crypto";
import type { FileHandle } from "node:fs/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { artifactAnswerBytesMax, artifactIdleMs } from "../limits.ts";
import { readProblem } from "../readProblem.ts";

const READ_BYTES = 128 * 1024;

/** Where an attempt's files go, and by what right. */
export interface ArtifactAccess {
  readonly url: string;
  readonly token: string;
}

export type Sent =
  | { readonly is: "stored" }
  /** Sending it again changes nothing. */
  | { readonly is: "refused"; readonly code: string; readonly why: string }
  /** Nobody knows, or not now. */
  | { readonly is: "failed"; readonly why: string };

/** Sends one file, read from its beginning. Never throws. */
export async function sendFile(
  access: ArtifactAccess,
  found: { readonly name: string; readonly bytes: number; readonly file: FileHandle },
): Promise<Sent> {
  try {
    const answer = await put(access, found);
    if (answer.status >= 200 && answer.status < 300) return judgeStored(answer, found.bytes);
    const { code, detail } = readProblem(answer.body);
    const why = `${code}: ${detail}`;
    // Full, or a tenant at its limit, is not over in a minute; everything else of the server's own may be.
    const isOver =
      answer.status === 408 || answer.status === 429 || (answer.status >= 500 && answer.status !== 507);
    const isFinal = !isOver || code === "QUOTA_EXCEEDED";
    return isFinal ? { is: "refused", code, why } : { is: "failed", why };
  } catch (error) {
    return { is: "failed", why: (error as Error).message };
  }
}

interface Answer {
  readonly status: number;
  readonly body: string;
  /** Of the bytes that were sent. */
  readonly sha256: string;
}

function judgeStored(answer: Answer, bytes: number): Sent {
  const stored = JSON.parse(answer.body) as { bytes?: unknown; sha256?: unknown };
  if (stored.bytes === bytes && stored.sha256 === answer.sha256) return { is: "stored" };
  return { is: "failed", why: "other bytes were stored than were sent" };
}

async function put(
  { url, token }: ArtifactAccess,
  { name, bytes, file }: { readonly name: string; readonly bytes: number; readonly file: FileHandle },
): Promise<Answer> {
  const at = `${url}/${name.split("/").map(encodeURIComponent).join("/")}`;
  const headers = { authorization: `Bearer ${token}`, "content-length": bytes };
  const hash = createHash("sha256");
  const ask = at.startsWith("https:") ? requestHttps : requestHttp;
  const call = ask(at, { method: "PUT", headers, agent: false });
  call.setTimeout(artifactIdleMs, () => call.destroy(new Error("no answer")));
  const answered = new Promise<{ status: number; body: string }>((resolve, reject) => {
    call.on("error", reject);
    call.on("response", (response) => {
      let body = "";
      response.setEncoding("utf8");
      response.on("data", (piece: string) => {
        if (body.length < artifactAnswerBytesMax) body += piece;
      });
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body }));
      response.on("error", reject);
    });
  });
  const sending = pipeline(Readable.from(readAll(file, bytes, hash), { objectMode: false }), call);
  // A refusal may come before all is sent; then the answer counts, and the broken sending does not.
  sending.catch(() => undefined);
  const answer = await answered;
  call.destroy();
  return { ...answer, sha256: hash.digest("hex") };
}

/** By places and not from where the file stands: it may be sent again. */
async function* readAll(file: FileHandle, bytes: number, hash: Hash): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes; ) {
    const wanted = Math.min(READ_BYTES, bytes - at);
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, at);
    if (bytesRead === 0) throw new Error("the file is shorter than it was");
    const piece = buffer.subarray(0, bytesRead);
    at += bytesRead;
    hash.update(piece);
    yield piece;
  }
}
