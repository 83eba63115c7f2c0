import { createHash } from "node:crypto";
import type { LogStream } from "../../../streams/subjects.ts";
import type { EndedTask } from "../../domain/task/taskState.ts";
import { Retryable } from "../../kernel/errors.ts";
import { exactBytes } from "../../kernel/logs/exactBytes.ts";
import type { LogSource } from "../../kernel/logs/logSource.ts";
import { SecretMasker, type SecretSet } from "../../kernel/redaction/secretMasker.ts";

/** A stream of the last attempt of a task that is over. */
export interface OutputOf {
  readonly task: string;
  readonly state: EndedTask;
  readonly stream: LogStream;
  /** What is not to be seen of it. */
  readonly secrets: SecretSet;
}

/** What is known of it without its bytes being kept. */
export interface OutputDigest {
  readonly bytes: number;
  readonly sha256: string;
  /** Its beginning, as many bytes as were asked for. */
  readonly head: Buffer;
}

/**
 * The very bytes, but for secrets, which are masked byte for byte. Where the task's end counted them, exactly so many: what is still on its way from the node is waited
 * for by a later try. Where nothing was counted (its node was lost), what is stored.
 * @throws Retryable `LOGS_UNAVAILABLE`, `OUTPUT_LATE`; Poison `OUTPUT_INCOMPLETE`, while the bytes are read
 */
export async function* outputBytes(logs: LogSource, of: OutputOf): AsyncGenerator<Uint8Array> {
  const { task, state, stream } = of;
  if (state.attempt === 0) return;
  const reading = await logs.read({ task, attempt: state.attempt, stream }, 1);
  const known = { id: task, attempt: state.attempt, node: state.node };
  const masker = new SecretMasker(of.secrets);
  let bytes = 0;
  for await (const part of exactBytes(reading.chunks, { task: known, stream })) {
    bytes += part.length;
    for (const ready of masker.push(part, 0)) yield ready.bytes;
  }
  const counted = state.logs?.[stream].stored;
  if (counted !== undefined && bytes < counted) {
    throw new Retryable(
      "OUTPUT_LATE",
      `${counted - bytes} of ${counted} bytes of ${stream} are not stored yet`,
    );
  }
  for (const ready of masker.end()) yield ready.bytes;
}

/** Reads all of it once. @throws as {@link outputBytes} */
export async function digestOutput(logs: LogSource, of: OutputOf, headMax: number): Promise<OutputDigest> {
  const hash = createHash("sha256");
  const head: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of outputBytes(logs, of)) {
    if (bytes < headMax) head.push(part.subarray(0, headMax - bytes));
    hash.update(part);
    bytes += part.length;
  }
  return { bytes, sha256: hash.digest("hex"), head: Buffer.concat(head) };
}
