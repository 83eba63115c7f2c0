import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isRefusal } from "../services/domain/refusal.ts";
import type { OutputSink } from "../services/domain/spec/outputSinks.ts";
import { readSpec } from "../services/domain/spec/readSpec.ts";
import type { WorkloadSpec } from "../services/domain/spec/workloadSpec.ts";
import type { EndedTask } from "../services/domain/task/taskState.ts";
import { canonicalSpec } from "../services/kernel/canonicalSpec.ts";
import { newId } from "../services/kernel/ids.ts";
import type { TaskKey } from "../services/kernel/ledger/taskLedger.ts";
import { createLogSource } from "../services/kernel/logs/logSource.ts";
import { noSecrets } from "../services/kernel/redaction/secretMasker.ts";
import { outputBytes } from "../services/sinks/output/taskOutput.ts";
import { type ContainersOnNats, containersOnNats } from "./support/containersOnNats.ts";
import { withEngine } from "./support/withEngine.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
const engine = withEngine();
let on: ContainersOnNats;
beforeAll(async () => {
  on = await containersOnNats(server, engine);
});
afterAll(() => on?.stop());

const shell = (script: string) => ({ image: "cazi/toolbox:latest", command: ["sh", "-c", script] });

/** What the task sink of `parent` submits; by itself, because a test waits for it, or not. */
function following(parent: TaskKey, spec: object): { readonly json: string; readonly source: string } {
  const read = readSpec({ image: "a", output_sinks: [{ type: "task", spec }] });
  if (isRefusal(read)) throw new Error(read.message);
  const sink = read.spec.output_sinks[0] as Extract<OutputSink, { type: "task" }>;
  return { json: canonicalSpec(sink.spec as WorkloadSpec).json, source: `sink:${parent.task}:0-task` };
}

async function runAfter(parent: { readonly key: TaskKey }, spec: object) {
  const { json, source } = following(parent.key, spec);
  return on.run(json, source);
}

async function printed({ task }: TaskKey, state: EndedTask, stream: "stdout" | "stderr" = "stdout") {
  const logs = createLogSource(on.ground);
  const pieces: Uint8Array[] = [];
  for await (const piece of outputBytes(logs, { task, state, stream, secrets: noSecrets }))
    pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

const filesLeft = () => {
  const folder = join(on.ground.config.home, "node", "local", "stdin");
  return existsSync(folder) ? readdirSync(folder) : [];
};

describe("/pipe/stdin of a task that follows another", () => {
  it("is the other's output, the very bytes, read-only for whoever it runs as, and gone with the container", async () => {
    const parent = await on.run(
      shell("head -c 3000000 /dev/urandom > /tmp/x; cat /tmp/x; sha256sum < /tmp/x >&2"),
    );
    const { key, state } = await runAfter(parent, {
      ...shell("sha256sum < /pipe/stdin; (echo x >> /pipe/stdin) 2>/dev/null || echo kept"),
      user: "65534:65534",
    });
    expect(state).toMatchObject({ status: "succeeded", message: null });
    expect(await printed(key, state)).toBe(`${await printed(parent.key, parent.state, "stderr")}kept\n`);
    expect(filesLeft()).toEqual([]);
  });

  it("is the same for a replay, and not there for a spec that does without", async () => {
    const parent = await on.run(shell("printf 'b\\na\\n'"));
    const sorted = await runAfter(parent, shell("sort /pipe/stdin"));
    expect(await printed(sorted.key, sorted.state)).toBe("a\nb\n");
    const { json } = following(parent.key, shell("sort /pipe/stdin"));
    const again = await on.run(json, `replay:${sorted.key.task}`);
    expect(await printed(again.key, again.state)).toBe("a\nb\n");
    const without = { ...shell("test -e /pipe/stdin || echo none"), stdin_from_prev: false };
    const third = await runAfter(parent, without);
    expect(await printed(third.key, third.state)).toBe("none\n");
  });

  it("says how much it lacks of what the other printed beyond its cap", async () => {
    const parent = await on.run({ ...shell("head -c 5000 /dev/zero"), max_output_bytes: 4096 });
    const { key, state } = await runAfter(parent, shell("wc -c < /pipe/stdin"));
    expect((await printed(key, state)).trim()).toBe("4096");
    expect(state.message).toContain("lacks 904 bytes");
  });

  it("ends the task at once, by name and without another try, when the other has been erased", async () => {
    const parent = await on.run(shell("true"));
    await on.stopNode();
    const { json, source } = following(parent.key, { ...shell("cat /pipe/stdin"), max_retries: 3 });
    const key = await on.submit(json, source);
    const now = on.ground.clock.now();
    await on.ground.ledger.execute(parent.key, { kind: "erase", at: now, id: newId(now), giveUpSinks: true });
    await on.startNode();
    expect(await on.ended(key)).toMatchObject({ status: "failed", reason: "stdin_gone", attempt: 1 });
  });

  it("is given to nobody else: a token opens the output of its own task's parent, and there is none", async () => {
    const ask = (header: string) =>
      `wget -S -O - ${header} "$(dirname $CAZI_ARTIFACT_URL)/stdin" 2>&1 | grep -o -m 1 "HTTP/1.1 [0-9]*"`;
    const { key, state } = await on.run(
      shell(`${ask('--header "Authorization: Bearer $CAZI_WORKLOAD_TOKEN"')}; ${ask("")}`),
    );
    expect(await printed(key, state)).toBe("HTTP/1.1 409\nHTTP/1.1 401\n");
  });
});
