import { type Refusal, refuse } from "../refusal.ts";
import type { TaskCommand } from "./taskCommand.ts";
import type { TaskEventBody } from "./taskEvent.ts";
import { type CarriedTask, isEnded } from "./taskState.ts";

/**
 * How long after its end an attempt's files may still come: the control plane may have given up an attempt
 * whose node goes on bringing them.
 */
export const ARTIFACT_WINDOW_MS = 15 * 60_000;

/**
 * Whether a file becomes an artifact of the task, or stops being one. A name is written once in an attempt, so
 * what a container can add to the history is bounded by the limit on files; a later attempt's file takes the
 * place of an earlier one's.
 *
 * The command says what the history holds (`hosted`, `storedByAttempt`), so whoever executes it does so on the
 * very sequence that it was read at.
 */
export function decideArtifact(
  state: CarriedTask,
  command: Extract<TaskCommand, { kind: "store_artifact" | "remove_artifact" }>,
): readonly TaskEventBody[] | Refusal {
  if (command.kind === "remove_artifact") {
    const { id, name, bytes } = command.artifact;
    return [{ type: "artifact_removed", artifact_id: id, name, bytes, reason: command.reason }];
  }
  return whyNow(state, command) ?? decideStored(state, command);
}

type StoreArtifact = Extract<TaskCommand, { kind: "store_artifact" }>;

function whyNow(state: CarriedTask, command: StoreArtifact): Refusal | null {
  if (command.attempt > state.attempt) {
    return refuse("STATE_BEHIND", "the file is of a newer attempt than the state seen");
  }
  if (state.fence !== command.fence || state.status === "scheduled") {
    return refuse("STALE_FENCE", "the file is of an attempt that is over");
  }
  if (isEnded(state) && command.at > state.finished_at + ARTIFACT_WINDOW_MS) {
    return refuse("TASK_ENDED", `the task is ${state.status}; its files cannot come any more`);
  }
  return null;
}

function decideStored(state: CarriedTask, command: StoreArtifact): readonly TaskEventBody[] | Refusal {
  const { artifact, hosted, limits, fence, attempt } = command;
  if (hosted !== null && hosted.attempt === attempt) {
    const same = hosted.sha256 === artifact.sha256 && hosted.bytes === artifact.bytes;
    return same ? [] : refuse("ARTIFACT_EXISTS", "this attempt has published another file of this name");
  }
  const files = state.artifacts + (hosted === null ? 1 : 0);
  if (files > limits.files || command.storedByAttempt >= limits.files) {
    return refuse("ARTIFACT_LIMIT", `a task may publish ${limits.files} files`);
  }
  const bytes = state.artifact_bytes + artifact.bytes - (hosted?.bytes ?? 0);
  if (bytes > limits.bytes) {
    return refuse("ARTIFACT_LIMIT", `the files of a task may hold ${limits.bytes} bytes together`);
  }
  return [{ type: "artifact_stored", fence, attempt, ...artifact, replaced_bytes: hosted?.bytes ?? null }];
}
