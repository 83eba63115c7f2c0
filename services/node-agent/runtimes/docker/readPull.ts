import type { Readable } from "node:stream";
import type Docker from "dockerode";
import { toRefusal, unreachable } from "./engineErrors.ts";
import { type PullFailure, pullFailureOf } from "./pullFailure.ts";
import { afterLine, noProgress, type PullProgress } from "./pullProgress.ts";
import type { RegistryCredentials } from "./registryCredentials.ts";

/** Why one try of a pull failed. */
export interface FailedTry {
  readonly failure: PullFailure;
  /** The engine's sentence. */
  readonly message: string;
}

/**
 * One try: has the engine pull `ref` and reads its progress to the end. An engine whose client goes away stops a
 * pull that nobody else waits for.
 * @returns null when the image was pulled
 * @throws Retryable `ENGINE_UNREACHABLE`; the signal's reason when it is aborted
 */
export async function readPull(
  docker: Docker,
  ref: string,
  options: {
    readonly signal: AbortSignal;
    /** Null for none. They go to the engine with this pull, and the engine does not keep them. */
    readonly credentials: RegistryCredentials | null;
    /** Silence of the engine after which the try has failed. */
    readonly stallMs: number;
    readonly onProgress: (progress: PullProgress) => void;
  },
): Promise<FailedTry | null> {
  const { signal, stallMs, onProgress } = options;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), stallMs);
  let stream: Readable | null = null;
  try {
    const abortSignal = AbortSignal.any([signal, stop.signal]);
    stream = await beginPull(docker, ref, { abortSignal, credentials: options.credentials });
    const { error } = await readLines(stream, (progress) => {
      timer.refresh();
      onProgress(progress);
    });
    return error === null ? null : { failure: pullFailureOf(error, null), message: error };
  } catch (error) {
    signal.throwIfAborted();
    if (stop.signal.aborted) return { failure: "failed", message: `no progress for ${stallMs / 1000} s` };
    const refusal = toRefusal(error);
    if (refusal !== null) {
      return { failure: pullFailureOf(refusal.message, refusal.status), message: refusal.message };
    }
    if (stream === null) throw unreachable(error);
    return { failure: "failed", message: "the engine broke the connection off" };
  } finally {
    clearTimeout(timer);
    stream?.destroy();
  }
}

/** In a header and not in the options, which the client writes into the address of its request. */
function beginPull(
  docker: Docker,
  ref: string,
  { abortSignal, credentials }: { abortSignal: AbortSignal; credentials: RegistryCredentials | null },
): Promise<Readable> {
  return new Promise((resolve, reject) => {
    docker.pull(
      ref,
      { abortSignal },
      (error, stream) => (error ? reject(error) : resolve(stream as Readable)),
      credentials === null ? undefined : { ...credentials },
    );
  });
}

async function readLines(
  stream: Readable,
  onProgress: (progress: PullProgress) => void,
): Promise<PullProgress> {
  let progress = noProgress;
  let rest = "";
  for await (const chunk of stream) {
    const lines = (rest + (chunk as Buffer).toString("utf8")).split("\n");
    rest = lines.pop() ?? "";
    progress = lines.reduce(afterLine, progress);
    onProgress(progress);
  }
  return afterLine(progress, rest);
}
