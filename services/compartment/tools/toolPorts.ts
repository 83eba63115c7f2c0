/** What tools need of the world. Only the command line and whoever embeds this gives the real one. */
import type { NetworkPort } from "../network/networkPort.ts";
import type { TaskRunner } from "../process/taskRunner.ts";
import type { RecordEntry } from "./tool.ts";

export interface ToolPorts {
  readonly nowMs: () => number;
  readonly network: NetworkPort;
  /** The value of a variable that the configuration names. It is never in a record, and never with the program. */
  readonly credential: (variable: string) => string;
  /** Runs `process` as a task where a control plane is configured; null where none is. */
  readonly taskRunner: TaskRunner | null;
  /** What `model.call` is sent through where the control plane asks the model; its records go into the run's log. */
  readonly modelPlane?: (record: RecordEntry) => NetworkPort;
}
