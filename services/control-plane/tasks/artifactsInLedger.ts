import type { ArtifactView } from "../../../schemas/api/artifact.ts";
import { foldArtifacts, noArtifacts } from "../../domain/task/artifacts.ts";
import type { TaskKey, TaskLedger, TaskVersion } from "../../kernel/ledger/taskLedger.ts";
import { byName, viewOf } from "../artifacts/artifactViews.ts";
import { artifactEventsMax } from "../limits.ts";

/** A task's files as its events tell them; most tasks have none, and cost no further read. */
export async function artifactsInLedger(
  ledger: Pick<TaskLedger, "history">,
  key: TaskKey,
  { state, seq }: TaskVersion,
): Promise<readonly ArtifactView[]> {
  if (!("artifacts" in state) || state.artifacts === 0) return [];
  const events = await ledger.history(key, artifactEventsMax);
  const until = events.filter((one) => one.seq <= seq).map(({ event }) => event);
  return byName(foldArtifacts(noArtifacts, until)).map(viewOf);
}
