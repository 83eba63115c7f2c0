/** The main job, as an operator does it: the command line against a running product, on real containers. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { beforeAll, describe, expect, it } from "vitest";
import type { Comparison } from "../../schemas/api/comparison.ts";
import type { Task } from "../../schemas/api/task.ts";
import type { ApiTaskEvent } from "../../schemas/api/taskEvent.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import type { ProblemBody } from "../support/apiRequests.ts";
import { cliProgram } from "../support/builtCli.ts";
import { withProduct } from "../support/product.ts";
import { startProgram } from "../support/runProgram.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct({ CAZI_NODE_SLOTS: "2" });
const example = (name: string) => join(projectRoot, "deploy", "examples", name);
const shell = (script: string, more: object = {}) => ({
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", script],
  timeout_seconds: 120,
  ...more,
});

/** What a command printed as JSON. */
async function json<T>(...args: readonly string[]): Promise<T> {
  const { exit, stdout, stderr } = await product.cazi(...args);
  expect([exit, stderr.toString()]).toEqual([0, ""]);
  return JSON.parse(stdout.toString()) as T;
}

async function submitted(spec: object, ...args: readonly string[]): Promise<string> {
  const done = await product.startCazi(["submit", "-", ...args], JSON.stringify(spec)).done;
  expect([done.exit, done.stderr.toString()]).toEqual([0, ""]);
  return done.stdout.toString().trim();
}

describe("cazi run", () => {
  it("prints the greeting of the hello example and exits 0", async () => {
    const done = await product.cazi("run", example("hello.yaml"));
    expect(done).toEqual({ exit: 0, stdout: Buffer.from("hello from cazi\n"), stderr: Buffer.alloc(0) });
  });

  it("exits with the task's own code, its stderr on stderr", async () => {
    const done = await product.cazi("run", example("exit-7.yaml"));
    expect(done).toEqual({ exit: 7, stdout: Buffer.alloc(0), stderr: Buffer.from("about to fail\n") });
  });

  it("exits 124 for a task that runs longer than it may, and records the reason", async () => {
    const done = await product.cazi("run", example("times-out.yaml"));
    expect([done.exit, done.stdout.length]).toEqual([124, 0]);
    expect(done.stderr.toString()).toContain("timeout");
    const { data } = await product.api.list("?name=times-out");
    expect(data).toMatchObject([{ status: "failed", reason: "timeout" }]);
  });

  it("passes on bytes that are no text, and a last line without an end", async () => {
    const spec = shell("printf 'a\\377\\000b\\n\\303'; printf 'x\\200' >&2");
    const done = await product.startCazi(["run", "-"], JSON.stringify(spec)).done;
    expect(done.exit).toBe(0);
    expect(done.stdout).toEqual(Buffer.from([0x61, 0xff, 0x00, 0x62, 0x0a, 0xc3]));
    expect(done.stderr).toEqual(Buffer.from([0x78, 0x80]));
  });

  it("runs a script whose command is a task of its own, in a container", async () => {
    const source = `
      const { task, code, stdout } = await callTool("process", { command: "sh", args: ["-c", "echo $((6 * 7)); exit 3"] });
      emit({ task, code, stdout });`;
    const script = { source, tools: ["process"], process_image: "cazi/toolbox:latest" };
    const done = await product.startCazi(["run", "-"], JSON.stringify({ script, timeout_seconds: 60 })).done;
    expect([done.exit, done.stderr.toString()]).toEqual([0, ""]);
    const { task, ...rest } = JSON.parse(done.stdout.toString()) as { task: string };
    expect(rest).toEqual({ code: 3, stdout: "42\n" });
    expect(await json<Task>("get", task, "-o", "json")).toMatchObject({
      status: "failed",
      source: expect.stringMatching(/^process:/),
      who: { route: "script" },
    });
  });

  it("runs the script of the README by the README's own line", async () => {
    const [line] = /^npx cazi run --script .*$/m.exec(readFileSync(join(projectRoot, "README.md"), "utf8"))!;
    const npx = `npx() { shift; "${process.execPath}" "${cliProgram}" "$@"; }`;
    const options = { env: { ...product.env }, cwd: projectRoot };
    const done = await startProgram("sh", ["-c", `${npx}\n${line}`], options).done;
    const printed = '{"path":"deploy/examples/amounts.csv","rows":3,"sum":12}\n';
    expect(done).toEqual({ exit: 0, stdout: Buffer.from(printed), stderr: Buffer.alloc(0) });
  });

  it("cancels the task at Ctrl-C and exits 130", async () => {
    const run = product.startCazi(["run", "-"], JSON.stringify(shell("echo begun; sleep 100")));
    await waitFor("its first line", () => run.stdoutSoFar().includes("begun"), { deadlineMs: 60_000 });
    run.child.kill("SIGINT");
    expect((await run.done).exit).toBe(130);
  });

  it("exits 125 for an image that is not there and must not be pulled", async () => {
    const spec = { image: "cazi/absent:1", command: ["true"], pull_policy: "never" };
    const done = await product.startCazi(["run", "-"], JSON.stringify(spec)).done;
    expect(done.exit).toBe(125);
    expect(done.stderr.toString()).toMatch(/image_(unavailable|pull)/);
  });
});

describe("a task and its record", () => {
  let id: string;
  beforeAll(async () => {
    id = await submitted(
      shell("echo out; echo err >&2; exit 3", { name: "recorded", labels: { team: "a" } }),
    );
  });

  it("is waited for with its own exit code", async () => {
    expect(await product.cazi("wait", id)).toMatchObject({ exit: 3, stdout: Buffer.alloc(0) });
  });

  it("is printed whole by get", async () => {
    const task = await json<Task>("get", id, "-o", "json");
    expect(task).toMatchObject({
      id,
      tenant: "default",
      status: "failed",
      reason: "exit",
      exit_code: 3,
      signal: null,
      oom_killed: false,
      attempt: 1,
      node: "local",
      source: "submit",
      name: "recorded",
      who: { actor: "user:admin", route: "cli" },
      image: { ref: "cazi/toolbox:latest", image_id: expect.stringMatching(/^sha256:/) },
      spec: { command: ["sh", "-c", "echo out; echo err >&2; exit 3"], max_retries: 0 },
      logs: { stdout: { stored: 4, dropped: 0 }, stderr: { stored: 4, dropped: 0 } },
    });
    expect(task.spec_digest).toMatch(/^sha256:[0-9a-f]{64}$/);
    expect(Date.parse(task.submitted_at)).toBeLessThanOrEqual(Date.parse(task.finished_at!));
  });

  it("is found in lists by status, name and label", async () => {
    const found = await json<{ data: Task[] }>(
      ...["list", "--status", "failed", "--label", "team=a", "--name", "recorded", "-o", "json"],
    );
    expect(found.data.map((task) => task.id)).toEqual([id]);
    expect((await product.api.list("?status=succeeded&name=recorded")).data).toEqual([]);
  });

  it("shows its history, whose only end is one", async () => {
    const { stdout } = await product.cazi("events", id, "-o", "jsonl");
    const events = stdout
      .toString()
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line) as ApiTaskEvent);
    expect(events.map((event) => event.type)).toEqual([
      ...["submitted", "scheduled", "claimed", "running", "failed"],
    ]);
  });

  it("gives its log again, each stream where it belongs", async () => {
    const done = await product.cazi("logs", id);
    expect(done).toEqual({ exit: 0, stdout: Buffer.from("out\n"), stderr: Buffer.from("err\n") });
    expect((await product.cazi("output", id, "--raw", "--stream", "stderr")).stdout.toString()).toBe("err\n");
  });

  it("is replayed as the same intent on the same image, and replay --verify says that it did the same", async () => {
    const { exit, stdout } = await product.cazi("replay", id, "--verify", "-o", "json");
    const compared = JSON.parse(stdout.toString()) as Comparison;
    expect(exit).toBe(0);
    expect(compared).toMatchObject({
      with: id,
      same: true,
      same_image: true,
      stdout: { bytes: { task: 4 } },
    });
    const replayed = compared.task;
    expect((await product.cazi("wait", replayed)).exit).toBe(3);
    const [first, second] = [await product.api.task(id), await product.api.task(replayed)];
    expect(second).toMatchObject({
      source: `replay:${id}`,
      spec_digest: first.spec_digest,
      image: first.image,
    });
    expect(second.spec).toEqual(first.spec);
  });
});

describe("output", () => {
  it("of the ndjson example is a list of values", async () => {
    expect((await product.cazi("run", example("ndjson.yaml"))).exit).toBe(0);
    const [task] = (await product.api.list("?name=ndjson")).data;
    const output = await json<{ value: unknown; parse_error: unknown }>("output", task!.id, "-o", "json");
    expect(output).toMatchObject({
      value: [1, 2, 3].map((n) => ({ n, square: n * n })),
      parse_error: null,
      complete: true,
    });
  });

  it("is followed from before the task has a slot to its last byte", async () => {
    const holders = [
      await submitted(shell("sleep 100", { name: "holder" })),
      await submitted(shell("sleep 100", { name: "holder" })),
    ];
    for (const holder of holders) await product.api.hasStatus(holder, "running");
    const id = await submitted(shell("echo first; sleep 1; printf last"));
    const follower = product.startCazi(["logs", "-f", id]);
    expect(await product.api.task(id)).toMatchObject({
      status: "pending",
      pending_reason: { nodes: [{ rule: "slots" }], ahead: 0 },
    });
    for (const holder of holders) expect((await product.cazi("cancel", holder)).exit).toBe(0);
    const done = await follower.done;
    expect([done.exit, done.stdout.toString(), done.stderr.toString()]).toEqual([0, "first\nlast", ""]);
    for (const holder of holders) expect((await product.cazi("wait", holder)).exit).toBe(130);
  });
});

describe("a task that is tried again", () => {
  it("succeeds at last, each attempt with its own end, output and times", async () => {
    const spec = shell('echo "try $CAZI_ATTEMPT"; [ "$CAZI_ATTEMPT" -ge 3 ]', {
      max_retries: 2,
      name: "flaky",
    });
    const run = await product.startCazi(["run", "-"], JSON.stringify(spec)).done;
    expect([run.exit, run.stdout.toString()]).toEqual([0, "try 1\ntry 2\ntry 3\n"]);
    const [{ id }] = (await product.api.list("?name=flaky")).data as [Task];
    const { attempts, attempt, retries_used } = await json<Task>("get", id, "-o", "json");
    expect([attempt, retries_used]).toEqual([3, 2]);
    expect(
      attempts.map((one) => [one.attempt, one.ended_by, one.exit_code, one.logs?.stdout.stored]),
    ).toEqual([
      [1, "retrying", 1, 6],
      [2, "retrying", 1, 6],
      [3, "succeeded", 0, 6],
    ]);
    for (const { scheduled_at, claimed_at, started_at, finished_at } of attempts) {
      const times = [scheduled_at, claimed_at, started_at, finished_at];
      expect([...times].sort()).toEqual(times);
    }
    expect((await product.cazi("logs", id, "--attempt", "2")).stdout.toString()).toBe("try 2\n");
    const first = await product.cazi("output", id, "--raw", "--attempt", "1");
    expect(first.stdout.toString()).toBe("try 1\n");
    expect((await product.cazi("get", id)).stdout.toString()).toContain("2 of 2 retries used");
    expect(await product.api.request("GET", `/v1/tasks/${id}/attempts?limit=2`)).toMatchObject({
      body: { data: attempts.slice(0, 2), next_cursor: expect.any(String) },
    });
  });
});

describe("many tasks at once", () => {
  it("are shown, then cancelled, then run again, each once", async () => {
    const spec = shell("sleep 60", { labels: { batch: "7" } });
    const ids = await Promise.all([submitted(spec), submitted(spec), submitted(spec)]);
    const looked = await product.cazi("cancel", "--label", "batch=7");
    expect([looked.exit, looked.stdout.length]).toEqual([2, 0]);
    expect(looked.stderr.toString()).toContain("would cancel 3 tasks:");
    expect((await product.cazi("cancel", "--label", "batch=7", "--yes")).exit).toBe(0);
    for (const id of ids) expect(await product.api.ended(id)).toMatchObject({ status: "cancelled" });
    const again = [
      "replay",
      "--label",
      "batch=7",
      "--status",
      "cancelled",
      "--yes",
      "--idempotency-key",
      "b7",
    ];
    const [replayed, repeated] = [await product.cazi(...again), await product.cazi(...again)];
    expect(replayed.stdout.toString().trim().split("\n")).toHaveLength(3);
    expect(repeated.stdout.toString()).toBe(replayed.stdout.toString());
    expect((await product.cazi("cancel", "--label", "batch=7", "-y")).exit).toBe(0);
  });
});

describe("cancel", () => {
  it("stops a container that ignores SIGTERM, and none is left by the engine's own list", async () => {
    const id = await submitted(shell("trap '' TERM; echo begun; while :; do sleep 1; done"));
    await waitFor("it to begin", async () => (await product.api.raw(id)).bytes.length > 0, {
      deadlineMs: 60_000,
    });
    expect((await product.containers.ofTask(id))?.State).toBe("running");
    expect((await product.cazi("cancel", id, "--reason", "enough")).exit).toBe(0);
    expect((await product.cazi("wait", id)).exit).toBe(130);
    expect(await product.api.task(id)).toMatchObject({ status: "cancelled", cancel: { reason: "enough" } });
    await waitFor("the container to be gone", async () => (await product.containers.ofTask(id)) === null, {
      deadlineMs: 30_000,
    });
  });

  it("of a task that is over is refused, and changes nothing", async () => {
    const id = await submitted(shell("exit 0"));
    await product.api.ended(id);
    expect(await product.cazi("cancel", id)).toMatchObject({ exit: 5 });
    expect(await product.api.task(id)).toMatchObject({ status: "succeeded", cancel: null });
  });

  it("of a task that does not exist exits 3", async () => {
    expect((await product.cazi("cancel", "0".repeat(26))).exit).toBe(3);
  });
});

describe("an Idempotency-Key", () => {
  it("creates once, answers a repeat as the first time, and refuses another request", async () => {
    const key = "nightly-2026-11-29";
    const spec = shell("echo once");
    const first = await submitted(spec, "--idempotency-key", key);
    expect(await submitted(spec, "--idempotency-key", key)).toBe(first);
    const again = await product.api.request<Task>("POST", "/v1/tasks", {
      body: spec,
      headers: { "idempotency-key": key },
    });
    expect([again.status, again.body.id]).toEqual([202, first]);
    const misuse = await product.api.request<ProblemBody>("POST", "/v1/tasks", {
      body: shell("echo other"),
      headers: { "idempotency-key": key },
    });
    expect([misuse.status, misuse.body.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    await product.api.ended(first);
    expect((await product.api.events(first)).filter((event) => event.type === "submitted")).toHaveLength(1);
  });
});

describe("an MCP client", () => {
  it("lists the tools, submits YAML, waits, and reads the log", async () => {
    const client = new Client({ name: "e2e", version: "1" });
    const env = { ...product.env };
    const transport = new StdioClientTransport({ command: process.execPath, args: [cliProgram, "mcp"], env });
    await client.connect(transport);
    const call = async (name: string, args: object) => {
      const { structuredContent, isError } = await client.callTool({ name, arguments: { ...args } });
      expect(isError ?? false).toBe(false);
      return structuredContent as Record<string, unknown>;
    };
    try {
      const { tools } = await client.listTools();
      expect(tools.map((tool) => tool.name).sort()).toEqual([
        ...["cancel_task", "check_health", "compare_tasks", "get_task", "get_task_logs", "get_task_output"],
        ...["list_nodes", "list_task_events", "list_tasks", "replay_task", "run_script", "submit_task"],
        "wait_for_task",
      ]);
      const spec =
        'image: cazi/toolbox:latest\ncommand: [sh, -c, "echo for an agent; echo no >&2; exit 2"]\n';
      const { id } = await call("submit_task", { spec });
      expect(await call("wait_for_task", { id })).toMatchObject({
        done: true,
        status: "failed",
        exit_code: 2,
      });
      const { data } = (await call("get_task_logs", { id })) as { data: { stream: string; text: string }[] };
      expect(new Set(data.map(({ stream, text }) => `${stream}: ${text}`))).toEqual(
        new Set(["stdout: for an agent", "stderr: no"]),
      );
      expect(await product.api.task(String(id))).toMatchObject({ who: { route: "mcp" } });
    } finally {
      await client.close();
    }
  });
});
