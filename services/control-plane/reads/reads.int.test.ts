import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ListTasksQuery } from "../../../schemas/api/listTasks.ts";
import { bodies, historyStartMs, ledgerHistory, lifeOf } from "../../../test/support/ledgerHistory.ts";
import { type PostgresKind, withPostgres } from "../../../test/support/withPostgres.ts";
import { sinkResults } from "../../domain/sinks/sinkResults.ts";
import { foldArtifacts, noArtifacts } from "../../domain/task/artifacts.ts";
import { attemptsOf } from "../../domain/task/attempts.ts";
import type { TaskEventBody } from "../../domain/task/taskEvent.ts";
import { createLog } from "../../kernel/log.ts";
import { migrate } from "../../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../../kernel/postgres/openPool.ts";
import { asOwner, queryInTenant } from "../../kernel/postgres/transaction.ts";
import { beginAtCheckpoint } from "../../projector/checkpoint.ts";
import { project } from "../../projector/project.ts";
import { writeBatch } from "../../projector/writeBatch.ts";
import { byName, viewOf } from "../artifacts/artifactViews.ts";
import { taskFromLedger } from "../tasks/taskFromLedger.ts";
import { countTasksByStatus } from "./countTasksByStatus.ts";
import { listTasksSql, listTasksValues } from "./listTasks.ts";
import { createTaskReads } from "./taskReads.ts";

const log = createLog("silent", "test");
const spec = (more: object) => bodies.submitted({ name: null, labels: {}, ...more });

describe.each<PostgresKind>(["native", "embedded"])("reads, %s Postgres", (kind) => {
  const server = withPostgres(kind);
  const history = ledgerHistory();
  let pool: DatabasePool;

  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

  beforeAll(async () => {
    pool = openPool({ url: server.url, size: kind === "native" ? 3 : 1, log });
    await migrate(pool);
    const [, ...rest] = lifeOf("1.a");
    const output_sinks = [
      { type: "webhook", name: "hook" },
      { type: "s3", name: null },
    ];
    history.append("t1", spec({ name: "greet", labels: { team: "a", tier: "1" } }), ...rest);
    history.append("t1", bodies.artifactStored("1.a", "größe.csv"));
    history.append("t2", spec({ labels: { team: "b" } }));
    history.append("t3", spec({ labels: { team: "a" } }), ...rest.slice(0, 3), bodies.retrying("1.a"));
    history.append("t4", spec({ name: "greet" }), ...rest.slice(0, 3), cancelRequested);
    history.append("other/t5", spec({}));
    const [, scheduled, claimed, running] = lifeOf("1.b");
    history.append(
      "t6",
      bodies.submitted(
        { name: null, labels: {}, image: "reg.example:5000/b", output_sinks },
        { source: "replay:t1", traceparent },
      ),
      { ...scheduled!, node: "n2" } as TaskEventBody,
      ...[
        claimed!,
        bodies.pulling("1.b"),
        running!,
        bodies.failed("1.b", { finished_at: historyStartMs + 90_000 }),
        { type: "sink_failed", sink: "hook", tries: 8, message: "HTTP 500" } as const,
        { type: "sink_delivered", sink: "hook", receipt: "HTTP 200" } as const,
      ],
    );
    await beginAtCheckpoint(pool, 0, "e");
    const to = { seq: history.events.length, eventId: history.events.at(-1)!.event.id };
    await writeBatch(pool, { shard: 0, epoch: "e", fromSeq: 0, to }, project(history.events));
  });
  afterAll(() => pool.end());

  it.each(["t1", "t2", "t3", "t4", "t6"])("shows %s exactly as its ledger messages do", async (task) => {
    const own = history.events.filter((one) => one.event.task === task);
    const fromLedger = taskFromLedger({
      key: { tenant: "default", task },
      state: own.at(-1)!.event.state,
      spec: JSON.parse((own[0]!.event.body as { spec: string }).spec),
      attempts: attemptsOf(own.map((one) => one.event)),
      sinks: sinkResults(own.map((one) => one.event)),
      artifacts: byName(
        foldArtifacts(
          noArtifacts,
          own.map((one) => one.event),
        ),
      ).map(viewOf),
    });
    expect(await createTaskReads(pool).findTask({ tenant: "default", task })).toEqual({
      task: fromLedger,
      seq: own.at(-1)!.seq,
    });
  });

  it("tells of each sink what the ledger last said of it", async () => {
    const found = await createTaskReads(pool).findTask({ tenant: "default", task: "t6" });
    expect(found?.task.sinks).toMatchObject([
      { id: "hook", type: "webhook", status: "delivered", receipt: "HTTP 200", tries: null },
      { id: "1-s3", type: "s3", status: "waiting", settled_at: null },
    ]);
  });

  it("finds nothing of another tenant", async () => {
    const reads = createTaskReads(pool);
    expect(await reads.findTask({ tenant: "default", task: "t5" })).toBeNull();
    expect(await reads.findTask({ tenant: "other", task: "t5" })).toMatchObject({ task: { id: "t5" } });
    expect((await reads.listTaskEvents({ tenant: "other", task: "t1" }, { limit: 5 })).data).toEqual([]);
  });

  it("selects for a bulk action what matched when it was looked at, whatever came since", async () => {
    const reads = createTaskReads(pool);
    const write = async (...named: readonly (readonly [string, ...TaskEventBody[]])[]) => {
      const fromSeq = history.events.length;
      for (const [task, ...bodiesOf] of named) history.append(`bulk/${task}`, ...bodiesOf);
      const { seq, event } = history.events.at(-1)!;
      const move = { shard: 0, epoch: "e", fromSeq, to: { seq, eventId: event.id } };
      await writeBatch(pool, move, project(history.events.slice(fromSeq)));
    };
    const [submitted, scheduled, claimed, running, succeeded] = lifeOf("1.b");
    await write(
      ...["waits", "moves", "ends", "gone"].map((task) => [task, submitted!] as const),
      ["failed", submitted!, scheduled!, claimed!, running!, bodies.failed("1.b")],
      ["runs", submitted!, scheduled!, claimed!, running!],
    );
    const all = async (action: "cancel" | "replay", filter: object, asOf: number) => {
      const ids: string[] = [];
      for (let cursor: string | undefined, pages = 0; pages < 9; pages++) {
        const page = await reads.selectionPage("bulk", { action, filter, asOf, limit: 2, cursor });
        ids.push(...page.data.map((one) => one.id));
        if (page.next_cursor === null) return ids;
        cursor = page.next_cursor;
      }
      throw new Error("the pages do not end");
    };
    const cancel = { status: ["pending" as const] };
    const replay = { status: ["failed" as const], image: "cazi/toolbox" };
    const looked = await reads.previewSelection("bulk", { action: "cancel", filter: cancel });
    expect([looked.count, looked.tasks.map((one) => one.id)]).toEqual([
      4,
      ["gone", "ends", "moves", "waits"],
    ]);
    const before = await reads.previewSelection("bulk", { action: "replay", filter: replay });
    expect(before).toMatchObject({ count: 1, tasks: [{ id: "failed", status: "failed" }], seq: looked.seq });
    await write(
      ["moves", scheduled!, claimed!],
      ["ends", scheduled!, claimed!, running!, succeeded!],
      ["late", submitted!],
      ["runs", bodies.retrying("1.b")],
      ["gone", scheduled!, claimed!, bodies.failed("1.b"), bodies.erased()],
      ["failed-later", submitted!, scheduled!, claimed!, bodies.failed("1.b")],
      ["failed", bodies.sinkDelivered()],
    );
    expect(await all("cancel", cancel, looked.seq)).toEqual(["moves", "waits"]);
    expect(await all("replay", replay, before.seq)).toEqual(["failed"]);
    expect(await all("cancel", { node: "local" }, looked.seq)).toEqual(["runs"]);
    expect(await all("cancel", { status: ["running" as const] }, looked.seq)).toEqual(["runs"]);
  });

  it("lists newest first, cursor by cursor, and ends", async () => {
    const reads = createTaskReads(pool);
    const seen: string[] = [];
    let cursor: string | undefined;
    for (let pages = 0; pages < 9; pages++) {
      const page = await reads.listTasks("default", { limit: 2, cursor });
      seen.push(...page.data.map((task) => task.id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["t6", "t4", "t3", "t2", "t1"]);
  });

  it.each([
    [{ status: ["pending" as const] }, ["t3", "t2"]],
    [{ status: ["succeeded" as const, "running" as const] }, ["t4", "t1"]],
    [{ name: "greet" }, ["t4", "t1"]],
    [{ name: "no\0such" }, []],
    [{ label: ["team=a"] }, ["t3", "t1"]],
    [{ label: ["team=a", "tier=1"] }, ["t1"]],
    [{ label: ["team"] }, ["t3", "t2", "t1"]],
    [{ image: "cazi/toolbox" }, ["t4", "t3", "t2", "t1"]],
    [{ image: "reg.example:5000/b:latest" }, ["t6"]],
    [{ image: "toolbox" }, []],
    [{ node: "n2" }, ["t6"]],
    [{ node: "local", status: ["running" as const] }, ["t4"]],
    [{ source: "submit" }, ["t4", "t3", "t2", "t1"]],
    [{ replay_of: "t1" }, ["t6"]],
    [{ replay_of: "t1", source: "submit" }, []],
    [{ reason: "exit", exit_code: 7 }, ["t6"]],
    [{ exit_code: 0 }, ["t1"]],
    [{ submitted_after: at(6), submitted_before: at(12) }, ["t3", "t2"]],
    [{ submitted_before: "2023-11-14T23:13:21.001+01:00" }, ["t1"]],
    [{ finished_after: new Date(historyStartMs + 90_000).toISOString() }, ["t6"]],
    [{ finished_before: new Date(historyStartMs + 90_000).toISOString() }, ["t1"]],
    [{ submitted_after: at(1), image: "cazi/toolbox", label: ["team=a"], node: "local" }, ["t1"]],
    [{ label: ["tier", "team=b"] }, []],
  ])("lists only what matches %j", async (query, ids) => {
    const page = await createTaskReads(pool).listTasks("default", { limit: 50, ...query });
    expect(page.data.map((task) => task.id)).toEqual(ids);
    expect(page.next_cursor).toBeNull();
  });

  it("keeps its filters over cursors, and each matching task is on one page", async () => {
    const reads = createTaskReads(pool);
    const query = { limit: 1, image: "cazi/toolbox", submitted_before: at(12) };
    const seen: string[] = [];
    for (let cursor: string | undefined, pages = 0; pages < 9; pages++) {
      const page = await reads.listTasks("default", { ...query, cursor });
      seen.push(...page.data.map((task) => task.id));
      if (page.next_cursor === null) break;
      cursor = page.next_cursor;
    }
    expect(seen).toEqual(["t3", "t2", "t1"]);
  });

  it("shows the trace with each event, and news of a pull as one of them", async () => {
    const { data } = await createTaskReads(pool).listTaskEvents(
      { tenant: "default", task: "t6" },
      { limit: 9 },
    );
    expect(data.map((event) => event.traceparent)).toEqual(data.map(() => traceparent));
    expect(data.find((event) => event.type === "pulling")?.data).toMatchObject({ pull: { tries: 2 } });
  });

  it("gives a task's history in order, page by page", async () => {
    const reads = createTaskReads(pool);
    const key = { tenant: "default", task: "t1" };
    const first = await reads.listTaskEvents(key, { limit: 3 });
    const second = await reads.listTaskEvents(key, { limit: 3, cursor: first.next_cursor! });
    expect([...first.data, ...second.data].map((event) => event.type)).toEqual([
      "submitted",
      "scheduled",
      "claimed",
      "running",
      "succeeded",
      "artifact_stored",
    ]);
    expect(second.next_cursor).toBeNull();
    expect(first.data[0]).toMatchObject({ id: "e1", seq: 1, task: "t1", status: "pending", attempt: 0 });
    expect(first.data[0]!.data).toMatchObject({ source: "submit", spec: { name: "greet" } });
    expect(first.data[1]).toMatchObject({ status: "scheduled", attempt: 1, node: "local" });
  });

  it.each([
    "",
    "nonsense",
    Buffer.from("[1]").toString("base64url"),
    Buffer.from('["a","b"]').toString("base64url"),
  ])("refuses the cursor %j", async (cursor) => {
    const hint = "Leave the cursor out, or use the next_cursor of an earlier answer.";
    const rejected = { code: "CURSOR_INVALID", family: "rejection", hint };
    await expect(createTaskReads(pool).listTasks("default", { limit: 2, cursor })).rejects.toMatchObject(
      rejected,
    );
    await expect(
      createTaskReads(pool).listTaskEvents({ tenant: "default", task: "t1" }, { limit: 2, cursor }),
    ).rejects.toMatchObject(rejected);
  });

  it("counts by status", async () => {
    const counts = { succeeded: 1, failed: 1, pending: 2, running: 1 };
    expect(await countTasksByStatus(pool, "default")).toEqual(counts);
  });

  it("reads a page of a hundred thousand tasks from the index, however deep", async () => {
    // In parts: the embedded server bounds the length of a transaction.
    for (let from = 1; from < 100_000; from += 5_000) {
      await asOwner(pool, (client) => client.query(manyTasks, [from, from + 4_999]));
    }
    await asOwner(pool, (client) => client.query("ANALYZE tasks"));
    const deep = Buffer.from('[50000,"m50000"]').toString("base64url");
    for (const [query, index] of [
      [{}, "tasks_newest"],
      [{ cursor: deep }, "tasks_newest"],
      [{ status: ["running"] }, "tasks_by_status"],
      [{ label: ["n=77"] }, "tasks_by_label"],
      [{ image: "rare" }, "tasks_by_image"],
      [{ image: "rare", cursor: deep }, "tasks_by_image"],
      [{ node: "rare" }, "tasks_by_node"],
      [{ replay_of: "m1" }, "tasks_by_source"],
      [{ reason: "oom" }, "tasks_by_reason"],
      [{ exit_code: 3 }, "tasks_by_exit_code"],
      [{ submitted_before: new Date(50).toISOString() }, "tasks_newest"],
      [{ finished_before: new Date(50).toISOString() }, "tasks_by_end"],
    ] as const) {
      const values = listTasksValues("many", { limit: 50, ...query } as ListTasksQuery);
      const plan = await queryInTenant<{ "QUERY PLAN": string }>(
        pool,
        { role: "app", tenant: "many" },
        `EXPLAIN ${listTasksSql}`,
        values,
      );
      const text = plan.map((row) => row["QUERY PLAN"]).join("\n");
      expect(text, JSON.stringify(query)).not.toContain("Seq Scan");
      expect(text, JSON.stringify(query)).toContain(index);
    }
  });
});

/** When the event at a sequence was written. */
function at(seq: number): string {
  return new Date(historyStartMs + seq * 1_000).toISOString();
}

const cancelRequested: TaskEventBody = {
  type: "cancel_requested",
  who: { actor: "user:ada", accountable: "user:bob", route: "rest" },
  reason: "no longer needed",
  due_at: 1_700_000_050_000,
};

const manyTasks = `
INSERT INTO tasks (tenant, id, spec, spec_digest, source, who, labels, submitted_at, status, seq, attempt,
  retries_used, oom_killed, node, fence, finished_at, spec_image, reason, exit_code)
SELECT 'many', 'm' || n, '{}', '', CASE WHEN n % 999 = 1 THEN 'replay:m1' ELSE 'submit' END, '{}', jsonb_build_object('n', n::text), n,
  CASE WHEN n % 1000 = 0 THEN 'running' ELSE 'succeeded' END, n, 1, 0, false,
  CASE WHEN n % 998 = 1 THEN 'rare' ELSE 'local' END, '1.a', CASE WHEN n % 1000 = 0 THEN NULL ELSE n END,
  CASE WHEN n % 997 = 1 THEN 'rare:latest' ELSE 'alpine:latest' END,
  CASE WHEN n % 996 = 1 THEN 'oom' END, CASE WHEN n % 995 = 1 THEN 3 ELSE 0 END
FROM generate_series($1::int, $2::int) AS n`;
