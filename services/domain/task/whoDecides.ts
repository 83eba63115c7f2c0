import type { TaskCommand } from "./taskCommand.ts";
import type { TaskState, Who } from "./taskState.ts";

/** Which part of Cazi decides what no person asked for. */
const deciders: Partial<Readonly<Record<TaskCommand["kind"], string>>> = {
  schedule: "scheduler",
  grant: "transitions",
  lose: "reactor",
  due: "reactor",
  erase: "reactor",
  sink_delivered: "sinks",
  sink_failed: "sinks",
};

/**
 * Who is recorded with what follows from a command. What somebody asked for is theirs; what Cazi does by itself is
 * `service:<role>`, and what a node says `node:<name>`, both by the route `internal` and with the task's own person
 * accountable.
 */
export function whoDecides(command: TaskCommand, state: TaskState): Who {
  if (command.by != null) return command.by;
  if ("who" in command) return command.who;
  return { actor: actorOf(command), accountable: personOf(state), route: "internal" };
}

function actorOf(command: TaskCommand): string {
  if (command.kind === "report") return `node:${command.report.node}`;
  if (command.kind === "decline") return `node:${command.node}`;
  return `service:${deciders[command.kind] ?? "control-plane"}`;
}

/** The person who answers for a task: whom its submitter acted for, else the submitter. */
function personOf(state: TaskState): string | null {
  if (!("who" in state)) return null;
  return state.who.accountable ?? state.who.actor;
}
