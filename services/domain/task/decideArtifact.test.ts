import { describe, expect, it } from "vitest";
import { foldArtifacts, type HostedArtifact, noArtifacts } from "./artifacts.ts";
import { ARTIFACT_WINDOW_MS } from "./decideArtifact.ts";
import { GivenTask, START, type Wish } from "./givenTask.ts";

const file = {
  name: "report.csv",
  bytes: 10,
  sha256: "aa",
  media_type: "text/csv",
  expires_at: START + 604_800_000,
};
const limits = { files: 2, bytes: 100 };

/** The artifacts of a task as its events make them. */
function artifactsOf(task: GivenTask) {
  return foldArtifacts(
    noArtifacts,
    task.events.map((body, index) => ({ id: `e${index}`, at: START + index, body })),
  );
}

function store(task: GivenTask, change: Partial<typeof file> = {}, fence = task.fence): Wish {
  const artifact = { ...file, ...change };
  const known = artifactsOf(task);
  const attempt = Number(fence.split(".")[0]) || 1;
  const hosted = known.hosted.get(artifact.name) ?? null;
  const storedByAttempt = known.storedBy.get(attempt) ?? 0;
  return { kind: "store_artifact", fence, attempt, artifact, hosted, storedByAttempt, limits };
}

const counts = (task: GivenTask) =>
  "artifacts" in task.state ? [task.state.artifacts, task.state.artifact_bytes] : null;

describe("a published file", () => {
  it("is counted, before the container is known to run and after its end too", () => {
    const claimed = new GivenTask().claimed();
    expect(claimed.when(store(claimed))).toEqual(["artifact_stored"]);
    expect(claimed.state.status).toBe("claimed");
    const ended = new GivenTask().running();
    ended.when(ended.exit());
    expect(ended.when(store(ended))).toEqual(["artifact_stored"]);
    expect(ended.state.status).toBe("succeeded");
    expect(counts(ended)).toEqual([1, 10]);
  });

  it("adds nothing when it comes again, and another one of its name is refused", () => {
    const task = new GivenTask().running();
    task.when(store(task));
    expect(task.when(store(task))).toEqual([]);
    expect(task.when(store(task, { sha256: "bb" }))).toBe("ARTIFACT_EXISTS");
    expect(counts(task)).toEqual([1, 10]);
  });

  it("takes the place of an earlier attempt's file of its name", () => {
    const task = new GivenTask().running({ max_retries: 1 });
    task.when(store(task));
    task.when(store(task, { name: "only-first" }));
    const old = task.fence;
    task.when(task.exit({ exit_code: 1 }));
    expect(task.when(store(task, { sha256: "bb" }, old))).toBe("STALE_FENCE");
    task.when({ kind: "schedule", node: "n1" }, 600_000);
    task.when({ kind: "grant", node: "n1", fence: task.fence, attempt: task.attempt });
    expect(task.when(store(task, { sha256: "bb", bytes: 30 }))).toEqual(["artifact_stored"]);
    expect(counts(task)).toEqual([2, 40]);
    const { hosted, replaced } = artifactsOf(task);
    expect([...hosted.values()].map((one) => [one.name, one.attempt, one.bytes])).toEqual([
      ["report.csv", 2, 30],
      ["only-first", 1, 10],
    ]);
    expect(replaced.size).toBe(1);
  });

  it("is refused beyond the limits on files and on bytes, and removed files give no room for more", () => {
    const task = new GivenTask().running();
    expect(task.when(store(task, { bytes: 101 }))).toBe("ARTIFACT_LIMIT");
    task.when(store(task, { name: "a" }));
    task.when(store(task, { name: "b" }));
    expect(task.when(store(task, { name: "c" }))).toBe("ARTIFACT_LIMIT");
    const artifact = artifactsOf(task).hosted.get("a") as HostedArtifact;
    expect(task.when({ kind: "remove_artifact", artifact, reason: "expired" })).toEqual(["artifact_removed"]);
    expect(counts(task)).toEqual([1, 10]);
    expect(artifactsOf(task).removed.get("a")).toBe("expired");
    expect(task.when(store(task, { name: "c" }))).toBe("ARTIFACT_LIMIT");
  });

  it("is refused of an attempt that was never granted, is over, or ended too long ago", () => {
    const offered = new GivenTask().scheduled();
    expect(offered.when(store(offered))).toBe("STALE_FENCE");
    expect(offered.when(store(offered, {}, "1.other"))).toBe("STALE_FENCE");
    expect(offered.when(store(offered, {}, "2.later"))).toBe("STATE_BEHIND");
    const task = new GivenTask().running();
    task.when(task.exit());
    expect(task.when(store(task), ARTIFACT_WINDOW_MS + 10_000)).toBe("TASK_ENDED");
    task.when({ kind: "erase" });
    expect(task.when(store(task))).toBe("TASK_ERASED");
  });
});
