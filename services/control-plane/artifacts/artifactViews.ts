import type { ArtifactView } from "../../../schemas/api/artifact.ts";
import { toTimestamp } from "../../../schemas/api/timestamp.ts";
import type { HostedArtifact, TaskArtifacts } from "../../domain/task/artifacts.ts";

/** An artifact as the API shows it. */
export function viewOf(artifact: HostedArtifact): ArtifactView {
  const { name, attempt, bytes, sha256, media_type, stored_at, expires_at } = artifact;
  return {
    name,
    attempt,
    bytes,
    sha256,
    media_type,
    stored_at: toTimestamp(stored_at),
    expires_at: toTimestamp(expires_at),
  };
}

/** Those of a task, by name. */
export function byName(artifacts: TaskArtifacts): readonly HostedArtifact[] {
  return [...artifacts.hosted.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
}
