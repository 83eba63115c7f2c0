import { createHash } from "node:crypto";
import type { LogSource } from "../kernel/logs/logSource.ts";
import type { SinkOfTask } from "./attempt.ts";
import { inlineBytesMax } from "./limits.ts";
import { summaryBytes } from "./output/summary.ts";
import { digestOutput, outputBytes } from "./output/taskOutput.ts";
import type { SinkSecrets } from "./sinkSecrets.ts";

export interface ContentPorts {
  readonly logs: LogSource;
  readonly secrets: Pick<SinkSecrets, "masked">;
}

/** What goes into a file or an object: known by length and digest before a byte of it is sent. */
export interface Content {
  readonly length: number;
  readonly sha256: string;
  readonly mediaType: string;
  /** The same each time. */
  readonly bytes: () => AsyncIterable<Uint8Array>;
}

/** @throws as `outputBytes` */
export async function contentOf(ports: ContentPorts, of: SinkOfTask): Promise<Content> {
  const which = "content" in of.sink ? of.sink.content : "summary";
  if (which !== "summary") {
    const secrets = await ports.secrets.masked(of.tenant, of.connections);
    const output = { task: of.task, state: of.state, stream: which, secrets };
    const { bytes, sha256 } = await digestOutput(ports.logs, output, 0);
    const mediaType = "application/octet-stream";
    return { length: bytes, sha256, mediaType, bytes: () => outputBytes(ports.logs, output) };
  }
  const body = await summaryOf(ports, of, true);
  const sha256 = createHash("sha256").update(body).digest("hex");
  return { length: body.length, sha256, mediaType: "application/json", bytes: () => once(body) };
}

/** The summary of a task, with its output. @throws as `outputBytes` */
export async function summaryOf(
  ports: ContentPorts,
  of: SinkOfTask,
  includeOutput: boolean,
): Promise<Buffer> {
  const { tenant, task, id: sink, state, name, labels } = of;
  const isCounted = state.logs !== null || state.attempt === 0;
  const secrets = await ports.secrets.masked(tenant, of.connections);
  const output = isCounted
    ? await digestOutput(ports.logs, { task, state, stream: "stdout", secrets }, inlineBytesMax)
    : null;
  return summaryBytes({ tenant, task, sink, state, name, labels, output, includeOutput });
}

async function* once(body: Uint8Array): AsyncGenerator<Uint8Array> {
  yield body;
}
