/** What a node needs of the compartment. A service imports no other: whoever puts the process together gives it. */
import type { ExecutionProject, ExecutionScript } from "../../executionSpec.ts";

export interface ScriptJob {
  readonly runId: string;
  readonly program: { readonly script: ExecutionScript } | { readonly project: ExecutionProject };
  /** Private to this run; the engine puts the program's files there. */
  readonly folder: string;
  readonly auditLog: string;
  /** Where `writeArtifact` writes. */
  readonly artifacts: string;
  /** Longest run. */
  readonly timeoutMs: number;
  /** Of the task; the engine's own memory is never more. */
  readonly memoryBytes: number;
  /** Values of credentials by variable; redacted wherever they stand, and never with the program. */
  readonly secrets: Readonly<Record<string, string>>;
  /** Where `process` is taken as a task, with the attempt's own token; null where the spec or the grant has no such place. */
  readonly process: { readonly url: string; readonly token: string } | null;
  /** Where `model.call` is answered, and the address that is asked there; null as above. */
  readonly model: { readonly url: string; readonly token: string; readonly endpoint: string } | null;
  readonly stop: AbortSignal;
  /** An event as the log has it: one line of JSON, without its end. */
  readonly onEvent: (line: string) => void;
}

/** How a run ended. */
export interface ScriptEnd {
  /** Null for a program that came to its end; else the reason of `run_end`, or `refused` before anything ran. */
  readonly reason: string | null;
  /** What was thrown, or why it was refused: a line for people, redacted. */
  readonly message: string | null;
  /** More of it, such as the stack. */
  readonly detail: string | null;
  /** Of the audit log; null where there is none. */
  readonly head: string | null;
}

export interface ScriptEngine {
  /** What evaluates programs: an attempt is retried and replayed on this one and no other. */
  readonly identity: { readonly name: string; readonly sha256: string };
  /** Tools that this node's operator lets scripts have. */
  readonly tools: readonly string[];
  /** Never rejects but for a failure of the machine, such as a full disk. */
  run(job: ScriptJob): Promise<ScriptEnd>;
  close(): Promise<void>;
}
