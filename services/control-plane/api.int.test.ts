import { createHash, randomBytes } from "node:crypto";
import { createServer } from "node:net";
import { headers as natsHeaders } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { projectorRole } from "../../deploy/compose/roles/projector.ts";
import type { Ground, RunningRole } from "../../deploy/compose/roles/role.ts";
import { submittedTask } from "../../schemas/api/submittedTask.ts";
import { task as taskSchema } from "../../schemas/api/task.ts";
import { logHeaders } from "../../schemas/messages/node.ts";
import { type LogStream, subjects } from "../../streams/subjects.ts";
import { groundOnNats } from "../../test/support/groundOnNats.ts";
import { identityOnNats } from "../../test/support/identityOnNats.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { withNats } from "../../test/support/withNats.ts";
import { type PostgresKind, withPostgres } from "../../test/support/withPostgres.ts";
import { newId } from "../kernel/ids.ts";
import { migrate } from "../kernel/postgres/migrate.ts";
import { type DatabasePool, openPool } from "../kernel/postgres/openPool.ts";
import { artifactReads } from "./artifacts/startArtifacts.ts";
import { type ControlPlane, startControlPlane } from "./main.ts";
import { createTaskReads } from "./reads/taskReads.ts";

const adminToken = "cazi_int-test";
const tenant = "default";

describe.each<PostgresKind>(["native", "embedded"])("the API on real servers, %s Postgres", (kind) => {
  const natsServer = withNats();
  const postgres = withPostgres(kind);
  let ground: Ground;
  let pool: DatabasePool;
  let projector: RunningRole;
  let api: ControlPlane;

  beforeAll(async () => {
    ground = await groundOnNats(natsServer, { CAZI_ACK: "projected", CAZI_ACK_WAIT_SECONDS: "6" });
    pool = openPool({ url: postgres.url, size: kind === "native" ? 3 : 1, log: ground.log });
    await migrate(pool);
    projector = projectorRole(ground, pool);
    api = await start();
  });
  afterAll(async () => {
    await api?.stop();
    await projector?.stop();
    await pool?.end();
    await ground?.stop();
  });

  async function start(listen = { host: "127.0.0.1", port: 0 }, portFixed = true): Promise<ControlPlane> {
    const reads = createTaskReads(pool);
    const { identity, connections } = await identityOnNats(ground);
    return startControlPlane({
      ...ground,
      pool,
      reads,
      identity,
      connections,
      artifacts: artifactReads(ground),
      adminToken,
      listen,
      portFixed,
    });
  }

  async function ask(
    method: string,
    path: string,
    body?: object | string,
    headers: Record<string, string> = {},
  ) {
    const answer = await fetch(`${api.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${adminToken}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await answer.arrayBuffer());
    const json = /json/.test(answer.headers.get("content-type") ?? "") ? JSON.parse(bytes.toString()) : null;
    return { status: answer.status, headers: answer.headers, bytes, json };
  }

  async function submit(spec: object = {}): Promise<string> {
    const answer = await ask("POST", "/v1/tasks", { image: "cazi/toolbox:latest", ...spec });
    expect(answer.status).toBe(202);
    return answer.json.id;
  }

  /** As a node would, up to the grant. */
  async function granted(task: string): Promise<{ fence: string }> {
    const key = { tenant, task };
    const at = Date.now();
    await ground.ledger.execute(key, { kind: "schedule", node: "n1", id: newId(at), at });
    const { state } = await ground.ledger.load(key);
    if (state.status !== "scheduled") throw new Error(`the task is ${state.status}`);
    const { fence } = state;
    await ground.ledger.execute(key, { kind: "grant", node: "n1", fence, attempt: 1, id: newId(at), at });
    return { fence };
  }

  async function report(
    task: string,
    fence: string,
    counts: { stdout: number; stderr?: number; exit_code?: number },
  ) {
    const at = Date.now();
    const ended = {
      signal: null,
      oom_killed: false,
      stopped_by: null,
      failure: null,
      finished_at: at,
      message: null,
    };
    const count = (stored: number) => ({ stored, dropped: 0 });
    await ground.ledger.execute(
      { tenant, task },
      {
        kind: "report",
        id: newId(at),
        at,
        jitter: 0,
        report: {
          ...{
            tenant,
            task,
            node: "n1",
            fence,
            attempt: 1,
            revision: 1,
            not_started: null,
            started_at: at,
            pull: null,
          },
          image: { ref: "cazi/toolbox:latest", repo_digest: null, image_id: "sha256:abc" },
          ended: { ...ended, exit_code: counts.exit_code ?? 0 },
          logs: { stdout: count(counts.stdout), stderr: count(counts.stderr ?? 0) },
        },
      },
    );
  }

  async function store(task: string, offset: number, bytes: Buffer, stream: LogStream = "stdout") {
    const own = natsHeaders();
    own.set(logHeaders.offset, String(offset));
    own.set(logHeaders.at, String(Date.now()));
    const subject = subjects.log({ node: "n1", task, attempt: 1, stream });
    await ground.nats.js.publish(subject, bytes, { headers: own });
  }

  it("goes on at a cursor where it was, whatever was submitted meanwhile, and no task twice", async () => {
    const [first, second, third] = [
      await submit({ name: "paged" }),
      await submit({ name: "paged" }),
      await submit({ name: "paged" }),
    ];
    const ids = (page: { json: { data: { id: string }[] } }) => page.json.data.map((one) => one.id);
    const page = await ask("GET", "/v1/tasks?name=paged&limit=2");
    expect(ids(page)).toEqual([third, second]);
    await submit({ name: "paged" });
    const next = await ask("GET", `/v1/tasks?name=paged&limit=2&cursor=${page.json.next_cursor}`);
    expect(ids(next)).toEqual([first]);
    expect(next.json.next_cursor).toBeNull();
  });

  it("waits for min_seq until the projector has announced it, then shows what the position's answer made", async () => {
    const answer = await ask("POST", "/v1/tasks", { image: "cazi/toolbox:latest", name: "min-seq" });
    const position = answer.headers.get("cazi-position")!;
    const list = await ask("GET", `/v1/tasks?name=min-seq&min_seq=${position}`);
    expect(list.json.data.map((one: { id: string }) => one.id)).toEqual([answer.json.id]);
    const [epoch, seq] = position.split(".") as [string, string];
    const events = ask("GET", `/v1/tasks/${answer.json.id}/events?min_seq=${epoch}.${Number(seq) + 2}`);
    await granted(answer.json.id);
    const types = (await events).json.data.map((one: { type: string }) => one.type);
    expect(types).toEqual(["submitted", "scheduled", "claimed"]);
  });

  it("is ready, acknowledges what Postgres has, and lists it", async () => {
    expect(api.ack).toBe("projected");
    await waitFor("readiness", async () => (await ask("GET", "/readyz")).status === 200);
    const answer = await ask("POST", "/v1/tasks", {
      image: "cazi/toolbox:latest",
      name: "listed",
      labels: { team: "blue" },
    });
    expect(submittedTask.safeParse(answer.json).error).toBeUndefined();
    const { id } = answer.json;
    for (const query of ["name=listed", "label=team%3Dblue", "label=team&status=pending", "limit=1"]) {
      const list = await ask("GET", `/v1/tasks?${query}`);
      expect(
        list.json.data.map((one: { id: string }) => one.id),
        query,
      ).toEqual([id]);
    }
    expect((await ask("GET", "/v1/tasks?name=other")).json).toMatchObject({ data: [], next_cursor: null });
    const found = await ask("GET", answer.headers.get("location")!);
    expect(taskSchema.safeParse(found.json).error).toBeUndefined();
    const { warnings: _none, ...submitted } = answer.json;
    expect(found.json).toEqual(submitted);
  });

  it("makes one task of many requests with the same key at once", async () => {
    const headers = { "idempotency-key": newId(Date.now()) };
    const spec = { image: "cazi/toolbox:latest", name: "once" };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => ask("POST", "/v1/tasks", spec, headers)),
    );
    expect(new Set(answers.map((one) => one.json.id)).size).toBe(1);
    expect(answers.filter((one) => one.headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect((await ask("GET", "/v1/tasks?name=once")).json.data).toHaveLength(1);
  });

  it("answers one who waits as soon as the task ends, and gives its history", async () => {
    const id = await submit();
    const waiting = ask("GET", `/v1/tasks/${id}?wait=40`);
    const { fence } = await granted(id);
    await report(id, fence, { stdout: 0, exit_code: 7 });
    expect((await waiting).json).toMatchObject({ status: "failed", exit_code: 7, node: "n1", attempt: 1 });
    const events = await waitFor("the copy", async () => {
      const { json } = await ask("GET", `/v1/tasks/${id}/events`);
      return json.data.length === 5 ? json : null;
    });
    expect(events.data.map((one: { type: string }) => one.type)).toEqual([
      "submitted",
      "scheduled",
      "claimed",
      "running",
      "failed",
    ]);
  });

  it("gives back a megabyte of any bytes, stored twice in part, exactly", async () => {
    const id = await submit();
    const { fence } = await granted(id);
    const bytes = randomBytes(1024 * 1024);
    const step = 128 * 1024;
    for (let offset = 0; offset < bytes.length; offset += step) {
      await store(id, offset, bytes.subarray(offset, offset + step));
      if (offset === 5 * step) await store(id, offset - 100, bytes.subarray(offset - 100, offset + step));
    }
    await report(id, fence, { stdout: bytes.length });
    const raw = await ask("GET", `/v1/tasks/${id}/output/raw`);
    expect(raw.headers.get("cazi-complete")).toBe("true");
    expect(sha256(raw.bytes)).toBe(sha256(bytes));
    expect((await ask("GET", `/v1/tasks/${id}/output/raw?stream=stderr`)).bytes).toHaveLength(0);

    const parts: Buffer[] = [];
    let after = "0.0.0";
    for (;;) {
      const { json } = await ask("GET", `/v1/tasks/${id}/logs?limit=1000&after=${after}`);
      for (const one of json.data) {
        parts.push(Buffer.from(one.base64 ?? one.text, one.base64 === undefined ? "utf8" : "base64"));
        if (one.ending === "newline") parts.push(Buffer.from("\n"));
      }
      if (json.next_cursor === null) break;
      after = json.next_cursor;
    }
    expect(sha256(Buffer.concat(parts))).toBe(sha256(bytes));
  });

  it("sends output while it comes, in order, and ends after the last byte with the outcome", async () => {
    const id = await submit();
    const { fence } = await granted(id);
    await store(id, 0, Buffer.from("one\ntw"));
    const answer = await fetch(`${api.url}/v1/tasks/${id}/logs?follow=true`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });
    const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = "";
    const readUntil = async (what: string) => {
      while (!text.includes(what)) {
        const { value, done } = await reader.read();
        if (done) throw new Error(`the stream ended before ${what}: ${text}`);
        text += value;
      }
    };
    await readUntil('"one"');
    await store(id, 0, Buffer.from("oops\n"), "stderr");
    await readUntil('"oops"');
    await report(id, fence, { stdout: 8, stderr: 5, exit_code: 0 });
    expect(text).not.toContain("event: end");
    await store(id, 6, Buffer.from("o\n"));
    await readUntil("event: end");
    const lines = [...text.matchAll(/^data: (.*)$/gm)].map((one) => JSON.parse(one[1]!));
    const stdout = lines.filter((one) => one.stream === "stdout");
    expect(stdout.map((one) => one.text + (one.ending === "newline" ? "\n" : "")).join("")).toBe(
      "one\ntwo\n",
    );
    expect(lines.at(-1)).toMatchObject({ status: "succeeded", exit_code: 0, complete: true });
  });

  it("goes on after Last-Event-ID across a restart of the server, each entry once, to the end", async () => {
    const id = await submit();
    const { fence } = await granted(id);
    await store(id, 0, Buffer.from("one\ntwo\n"));
    const follow = (lastId?: string) =>
      fetch(`${api.url}/v1/tasks/${id}/logs?follow=true`, {
        headers: {
          authorization: `Bearer ${adminToken}`,
          ...(lastId === undefined ? {} : { "last-event-id": lastId }),
        },
      });
    let before = "";
    for await (const piece of (await follow()).body!.pipeThrough(new TextDecoderStream())) {
      before += piece;
      if (before.includes('"two"')) break;
    }
    const [first, second] = [...before.matchAll(/^id: (.*)$/gm)].map((one) => one[1]!);
    await api.stop();
    api = await start();
    await store(id, 8, Buffer.from("three\n"));
    await report(id, fence, { stdout: 14 });
    const texts = async (lastId: string) =>
      [...(await (await follow(lastId)).text()).matchAll(/^data: (.*)$/gm)].map((one) => {
        const data = JSON.parse(one[1]!);
        return data.text ?? data.status;
      });
    expect(await texts(first!)).toEqual(["two", "three", "succeeded"]);
    expect(await texts(second!)).toEqual(["three", "succeeded"]);
  });

  it("cancels on the node with a hint that the node can hear", async () => {
    const id = await submit();
    await granted(id);
    const heard: string[] = [];
    const subscription = ground.nats.connection.subscribe(subjects.control({ node: "n1" }), {
      callback: (_error, message) => void heard.push(message.subject),
    });
    await ground.nats.connection.flush();
    const answer = await ask("POST", `/v1/tasks/${id}/cancel`, { reason: "enough" });
    expect(answer.json).toMatchObject({ status: "claimed", cancel: { reason: "enough" } });
    await waitFor("the hint", () => heard.length > 0);
    subscription.unsubscribe();
  });

  it("replays with the digest and the image of what ran", async () => {
    const id = await submit({ command: ["echo", "hi"] });
    const { fence } = await granted(id);
    await report(id, fence, { stdout: 0 });
    const { json } = await ask("POST", `/v1/tasks/${id}/replay`);
    const first = await ask("GET", `/v1/tasks/${id}`);
    expect(json).toMatchObject({ source: `replay:${id}`, image: { image_id: "sha256:abc" } });
    expect(json.spec_digest).toBe(first.json.spec_digest);
  });

  it("gives way to a taken default port, and refuses a taken one that was asked for", async () => {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
    const { port } = other.address() as { port: number };
    const second = await start({ host: "127.0.0.1", port }, false);
    expect(second.url).not.toBe(`http://127.0.0.1:${port}`);
    await second.stop();
    await expect(start({ host: "127.0.0.1", port }, true)).rejects.toMatchObject({ code: "PORT_TAKEN" });
    other.close();
  });

  it("takes nothing while no projector runs, goes on without it otherwise, and then takes again", async () => {
    const id = await submit();
    await projector.stop();
    const send = () => ask("POST", "/v1/tasks", { image: "a", name: "refused" });
    const early = send();
    await waitFor("the silence to be noticed", async () => {
      const { json } = await ask("GET", "/readyz");
      return json.reasons?.some((one: { code: string }) => one.code === "PROJECTOR_DOWN");
    });
    expect((await send()).json.code).toBe("PROJECTOR_DOWN");
    expect((await early).json.code).toBe("ACK_UNKNOWN");
    expect((await ask("POST", `/v1/tasks/${id}/cancel`)).json.status).toBe("cancelled");
    expect((await ask("GET", `/v1/tasks/${id}?wait=1`)).json.status).toBe("cancelled");
    projector = projectorRole(ground, pool);
    await waitFor("readiness", async () => (await ask("GET", "/readyz")).status === 200);
    await submit();
    // What was taken before the silence was noticed is there; what was refused is not.
    const seen = await waitFor("the copy of what was in doubt", async () => {
      const { json } = await ask("GET", "/v1/tasks?name=refused");
      return json.data.length > 0 ? json.data : null;
    });
    expect(seen).toMatchObject([{ id: (await early).json.task_id }]);
  });

  it("answers 503 soon after Postgres went away, still cancels, and comes back by itself", async () => {
    const id = await submit();
    await postgres.kill();
    const refusal = async () => {
      const [list, made] = await Promise.all([
        ask("GET", "/v1/tasks"),
        ask("POST", "/v1/tasks", { image: "a" }),
      ]);
      return list.status === 503 && made.json.code === "DATABASE_UNAVAILABLE";
    };
    await waitFor("the refusal", refusal, { deadlineMs: 15_000 });
    expect((await ask("POST", `/v1/tasks/${id}/cancel`)).json.status).toBe("cancelled");
    expect((await ask("GET", `/v1/tasks/${id}/logs`)).json).toMatchObject({ data: [], next_cursor: null });
    await postgres.restart();
    await waitFor("readiness", async () => (await ask("GET", "/readyz")).status === 200, {
      deadlineMs: 30_000,
    });
    await waitFor("the copy", async () => (await ask("GET", `/v1/tasks/${id}`)).json?.status === "cancelled");
    await submit();
  });
});

function sha256(bytes: Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}
