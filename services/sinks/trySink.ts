import { notDue } from "../domain/sinks/sinkResults.ts";
import { CaziError } from "../kernel/errors.ts";
import type { LogSource } from "../kernel/logs/logSource.ts";
import type { SinkOfTask } from "./attempt.ts";
import { writeSinkFile } from "./file/writeFile.ts";
import { type Guard, TargetNotAllowed } from "./http/guardedRequest.ts";
import { delivered, failed, type Outcome } from "./outcome.ts";
import { putObject } from "./s3/putObject.ts";
import type { SinkSecrets } from "./sinkSecrets.ts";
import { type DownstreamPorts, submitDownstream } from "./task/submitDownstream.ts";
import { postWebhook } from "./webhook/postWebhook.ts";

export interface TryPorts extends DownstreamPorts {
  readonly logs: LogSource;
  readonly guard: Guard;
  readonly secrets: SinkSecrets;
  /** Folder of file sinks; empty where there are none. */
  readonly base: string;
  /** Name of this process, for what it has begun. */
  readonly process: string;
}

/** One try. Never throws: what goes wrong is an outcome. */
export async function trySink(ports: TryPorts, of: SinkOfTask): Promise<Outcome> {
  const { sink, state } = of;
  if (!(sink.on as readonly string[]).includes(state.status)) return delivered(notDue);
  try {
    switch (sink.type) {
      case "webhook":
        return await postWebhook(ports, of, sink);
      case "s3":
        return await putObject(ports, of, sink);
      case "file":
        return await writeSinkFile(ports, of, sink);
      case "task":
        return await submitDownstream(ports, of, sink);
    }
  } catch (error) {
    return outcomeOfError(error);
  }
}

function outcomeOfError(error: unknown): Outcome {
  if (error instanceof TargetNotAllowed) return failed(error.message, { final: true });
  // A hole in the output stays one.
  if (error instanceof CaziError) return failed(error.message, { final: error.family === "poison" });
  const { code, message } = error as NodeJS.ErrnoException;
  return failed(code === undefined || message.includes(code) ? message : `${code}: ${message}`);
}
