import type { Clock } from "../../kernel/clock.ts";
import type { Tracer } from "../../kernel/tracing/tracer.ts";
import type { AgentLife } from "../agentLife.ts";
import type { ArtifactFolders } from "../artifacts/artifactFolders.ts";
import type { AgentLog, ControlPlane, Logs, Markers, Reports, Runtime } from "../ports.ts";
import type { StdinFiles } from "../stdin/stdinFiles.ts";

/** What every attempt of one agent shares. */
export interface AgentContext {
  readonly node: string;
  readonly runtime: Runtime;
  readonly control: ControlPlane;
  readonly reports: Reports;
  readonly logs: Logs;
  readonly markers: Markers;
  /** Null where nothing runs that could leave files here. */
  readonly artifacts: ArtifactFolders | null;
  /** Null where no container could be given one. */
  readonly stdin: StdinFiles | null;
  readonly clock: Clock;
  readonly log: AgentLog;
  readonly tracer: Tracer;
  /** Between SIGTERM and SIGKILL where the grant of an attempt is not known any more. */
  readonly stopGraceMs: number;
  /** Aborted when the agent stops; attempts live on. */
  readonly life: AgentLife;
  /** Reports of this life of the agent are numbered from here. */
  readonly revisionBase: number;
  /** False while NATS is out of reach. */
  connected(): boolean;
}
