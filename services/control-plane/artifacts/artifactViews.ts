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

/** Those of a task that are hosted at a time, by name. */
export function hostedAt(artifacts: TaskArtifacts, nowMs: number): readonly HostedArtifact[] {
  const hosted = [...artifacts.hosted.values()].filter((one) => one.expires_at > nowMs);
  return hosted.sort((a, b) => (a.name < b.name ? -1 : 1));
}
