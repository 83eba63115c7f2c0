import { describe, expect, it } from "vitest";
import { submittedTask } from "../../schemas/api/submittedTask.ts";
import { task as taskSchema } from "../../schemas/api/task.ts";
import { apiFixture, testToken } from "./testing/apiFixture.ts";

const json = { "content-type": "application/json" };
const yaml = { "content-type": "application/yaml" };
const hello = JSON.stringify({ image: "cazi/toolbox:latest", command: ["echo", "hi"] });

describe("the door", () => {
  it("asks for a token on everything but the probes and the API's description", async () => {
    const { app } = await apiFixture();
    for (const url of ["/healthz", "/readyz", "/metrics", "/openapi.json"]) {
      expect((await app.inject({ url, headers: { host: "127.0.0.1" } })).statusCode, url).toBe(200);
    }
    for (const authorization of [
      undefined,
      "",
      "Bearer",
      "Bearer wrong",
      `Basic ${testToken}`,
      `Bearer ${testToken}x`,
    ]) {
      const headers = { host: "localhost", ...(authorization === undefined ? {} : { authorization }) };
      const answer = await app.inject({ url: "/v1/tasks", headers });
      expect(answer.statusCode).toBe(401);
      expect(answer.headers["www-authenticate"]).toContain("Bearer");
      expect(answer.json()).toMatchObject({ code: "UNAUTHENTICATED", status: 401 });
    }
  });

  it("answers to no host name but loopback's while it listens there, with a token or without", async () => {
    const { app, ask } = await apiFixture();
    for (const host of [
      "evil.example",
      "localhost.evil.example:7070",
      "127.0.0.1.evil.example",
      "169.254.0.1",
    ]) {
      const answer = await ask("GET", "/v1/tasks", { headers: { host } });
      expect(answer.json).toMatchObject({ status: 403, code: "HOST_NOT_ALLOWED" });
    }
    for (const host of ["localhost", "LOCALHOST:7070", "127.0.0.1:80", "[::1]:7070"]) {
      expect((await app.inject({ url: "/healthz", headers: { host } })).statusCode, host).toBe(200);
    }
  });

  it("answers what is not there as a problem with a correlation id that is in the log", async () => {
    const { ask, logged } = await apiFixture();
    const answer = await ask("GET", "/v1/nothing");
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toContain("application/problem+json");
    expect(answer.json.code).toBe("NOT_FOUND");
    expect(answer.headers["x-correlation-id"]).toBe(answer.json.correlation_id);
    expect(logged.some((line) => line.correlation_id === answer.json.correlation_id)).toBe(true);
  });

  it("answers an address that cannot be read as a problem too", async () => {
    const { ask } = await apiFixture();
    for (const url of ["/v1/tasks/%zz", `/v1/tasks/${"x".repeat(2_000)}`]) {
      expect((await ask("GET", url)).json).toMatchObject({ status: 400, code: "REQUEST_INVALID" });
    }
  });

  it("tells an unexpected failure to the log and not to the caller", async () => {
    const { ask, logged } = await apiFixture({
      nodes: () => {
        throw new Error("password=hunter2");
      },
    });
    const answer = await ask("GET", "/v1/nodes");
    expect(answer.json).toMatchObject({ status: 500, code: "INTERNAL" });
    expect(answer.raw.toString()).not.toContain("hunter2");
    expect(JSON.stringify(logged)).toContain("hunter2");
  });

  it("records the door that a client names, and only a known one", async () => {
    const { ask } = await apiFixture();
    for (const [given, recorded] of [
      ["mcp", "mcp"],
      ["cli", "cli"],
      ["root", "rest"],
      ["mcp\tx", "rest"],
    ] as const) {
      const answer = await ask("POST", "/v1/tasks", {
        headers: { ...json, "x-cazi-route": given },
        body: hello,
      });
      expect(answer.json.who).toEqual({ actor: "user:admin", accountable: null, route: recorded });
    }
  });
});

describe("a submit", () => {
  it("answers 202 with the location, and the location answers at once", async () => {
    const { ask } = await apiFixture();
    const answer = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    expect(answer.status).toBe(202);
    expect(submittedTask.safeParse(answer.json).error).toBeUndefined();
    expect(answer.json).toMatchObject({
      status: "pending",
      pending_reason: { message: "no node is registered", nodes: [], more_nodes: 0, ahead: null },
      warnings: [],
    });
    const found = await ask("GET", String(answer.headers.location));
    expect(found.status).toBe(200);
    expect(taskSchema.safeParse(found.json).error).toBeUndefined();
    expect(found.json.spec_digest).toBe(answer.json.spec_digest);
  });

  it("takes the same spec as YAML under each of its names, with the same digest", async () => {
    const { ask } = await apiFixture();
    const digest = (await ask("POST", "/v1/tasks", { headers: json, body: hello })).json.spec_digest;
    for (const type of ["application/yaml", "text/yaml", "application/x-yaml; charset=utf-8"]) {
      const body = "image: cazi/toolbox:latest\ncommand: [echo, hi]\n";
      const answer = await ask("POST", "/v1/tasks", { headers: { "content-type": type }, body });
      expect(answer.json.spec_digest, type).toBe(digest);
    }
  });

  it("gives the first answer again for the same Idempotency-Key, and keeps one task", async () => {
    const { ask, ledger } = await apiFixture();
    const headers = { ...json, "idempotency-key": "k-1" };
    const first = await ask("POST", "/v1/tasks", { headers, body: hello });
    const again = await ask("POST", "/v1/tasks", {
      headers: { ...yaml, "idempotency-key": "k-1" },
      body: "command: [echo, hi]\nimage: cazi/toolbox:latest\n",
    });
    expect(again.status).toBe(202);
    expect(again.headers.location).toBe(first.headers.location);
    expect(first.headers["idempotent-replayed"]).toBeUndefined();
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(ledger.events).toHaveLength(1);
  });

  it("refuses an Idempotency-Key that was used for another spec, or whose task was erased", async () => {
    const { ask, ledger, run } = await apiFixture();
    const headers = { ...json, "idempotency-key": "k-2" };
    const { json: first } = await ask("POST", "/v1/tasks", { headers, body: hello });
    const other = await ask("POST", "/v1/tasks", { headers, body: hello.replace("hi", "ho") });
    expect(other.json).toMatchObject({ status: 422, code: "IDEMPOTENCY_KEY_REUSED", task_id: first.id });
    await run(first.id);
    await ledger.execute({ tenant: "acme", task: first.id }, { kind: "erase", id: "e", at: 1 });
    expect((await ask("POST", "/v1/tasks", { headers, body: hello })).json).toMatchObject({
      status: 410,
      code: "TASK_ERASED",
    });
    expect((await ask("GET", `/v1/tasks/${first.id}`)).json.code).toBe("TASK_ERASED");
  });

  it("refuses an Idempotency-Key that could not stand in a header", async () => {
    const { ask, ledger } = await apiFixture();
    for (const key of ["", "a b", "x".repeat(256)]) {
      const answer = await ask("POST", "/v1/tasks", {
        headers: { ...json, "idempotency-key": key },
        body: hello,
      });
      expect(answer.json.code, JSON.stringify(key)).toBe("IDEMPOTENCY_KEY_INVALID");
    }
    expect(ledger.events).toHaveLength(0);
  });

  it("takes nothing while Postgres or its projector is away", async () => {
    const checkpoints = {
      trouble: () => "it is 9 events behind",
      reached: async () => true,
      stop: () => undefined,
    };
    for (const [change, code] of [
      [{ checkpoints }, "PROJECTOR_DOWN"],
      [{ database: { up: () => false } }, "DATABASE_UNAVAILABLE"],
    ] as const) {
      const { ask, ledger } = await apiFixture(change);
      const answer = await ask("POST", "/v1/tasks", { headers: json, body: hello });
      expect(answer.json).toMatchObject({ status: 503, code });
      expect(answer.headers["retry-after"]).toBeDefined();
      expect(ledger.events).toHaveLength(0);
    }
  });

  it("tells the server's own key when the acknowledgement stays out, and the key finds the task", async () => {
    let reached = false;
    const checkpoints = { trouble: () => null, reached: async () => reached, stop: () => undefined };
    const { ask, ledger } = await apiFixture({ ack: "projected", checkpoints });
    const doubt = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    expect(doubt.json).toMatchObject({ status: 503, code: "ACK_UNKNOWN" });
    reached = true;
    const headers = { ...json, "idempotency-key": doubt.json.idempotency_key };
    const again = await ask("POST", "/v1/tasks", { headers, body: hello });
    expect(again.json.id).toBe(doubt.json.task_id);
    expect(again.headers["idempotent-replayed"]).toBe("true");
    expect(ledger.events).toHaveLength(1);
  });

  it("warns of a name that looks like a secret, and keeps the spec", async () => {
    const { ask } = await apiFixture();
    const body = JSON.stringify({ image: "a", environment: { API_KEY: "x" } });
    const answer = await ask("POST", "/v1/tasks", { headers: json, body });
    expect(answer.status).toBe(202);
    expect(answer.json.warnings).toMatchObject([
      { code: "SECRET_IN_ENVIRONMENT", pointer: "/environment/API_KEY" },
    ]);
  });
});

describe("a task", () => {
  it("is not there for what cannot be an id, and for another tenant's", async () => {
    const { ask, ledger } = await apiFixture();
    const { json: mine } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const theirs = "1".repeat(26);
    const { body } = ledger.events[0]!;
    if (body.type !== "submitted") throw new Error("not a submit");
    const { type: _type, due_at: _due, ...intent } = body;
    await ledger.execute(
      { tenant: "other", task: theirs },
      { kind: "submit", id: "e", at: 1, ...intent, blocked: null },
    );
    for (const id of [theirs, mine.id.slice(1), "..%2f", "%0d%0a", "x".repeat(90)]) {
      for (const [method, path] of [
        ["GET", ""],
        ["GET", "/logs"],
        ["GET", "/output"],
        ["GET", "/output/raw"],
        ["GET", "/events"],
        ["POST", "/cancel"],
        ["POST", "/replay"],
      ] as const) {
        const answer = await ask(method, `/v1/tasks/${id}${path}`);
        expect(answer.status, `${method} ${id}${path}`).toBe(404);
      }
    }
  });

  it("is answered when it ends, to one who waits", async () => {
    const { ask, run } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const waiting = ask("GET", `/v1/tasks/${made.id}?wait=30`);
    await run(made.id, { exit_code: 7 });
    expect((await waiting).json).toMatchObject({ status: "failed", reason: "exit", exit_code: 7 });
    expect((await ask("GET", `/v1/tasks/${made.id}?wait=30`)).json.status).toBe("failed");
  });

  it("is answered as it is, when the wait is over or the server stops", async () => {
    const { ask, stopping } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    expect((await ask("GET", `/v1/tasks/${made.id}?wait=1`)).json.status).toBe("pending");
    const waiting = ask("GET", `/v1/tasks/${made.id}?wait=30`);
    stopping.abort();
    expect((await waiting).json.status).toBe("pending");
  });

  it("is cancelled at once before a grant, and again without a change", async () => {
    const { ask, ledger, hints } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const first = await ask("POST", `/v1/tasks/${made.id}/cancel`, {
      headers: json,
      body: '{"reason":"changed my mind"}',
    });
    expect(first.status).toBe(202);
    expect(first.json).toMatchObject({ status: "cancelled", cancel: { reason: "changed my mind" } });
    expect((await ask("POST", `/v1/tasks/${made.id}/cancel`)).status).toBe(202);
    expect(ledger.events).toHaveLength(2);
    expect(hints).toEqual([]);
  });

  it("is cancelled on its node with a hint, and cannot be once it ended", async () => {
    const { ask, ledger, hints, run } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const key = { tenant: "acme", task: made.id };
    await ledger.execute(key, { kind: "schedule", node: "n1", id: "s", at: 1 });
    const { state } = await ledger.load(key);
    if (state.status !== "scheduled") throw new Error(state.status);
    await ledger.execute(key, { kind: "grant", node: "n1", fence: state.fence, attempt: 1, id: "g", at: 1 });
    const asked = await ask("POST", `/v1/tasks/${made.id}/cancel`);
    expect(asked.json).toMatchObject({ status: "claimed", cancel: { who: { route: "rest" } } });
    expect(hints).toEqual(["n1"]);
    const { json: other } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    await run(other.id);
    expect((await ask("POST", `/v1/tasks/${other.id}/cancel`)).json).toMatchObject({
      status: 409,
      code: "TASK_ENDED",
    });
  });

  it("is replayed with the same spec and the image that ran, once for a key", async () => {
    const { ask, ledger, run } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    await run(made.id);
    const headers = { "idempotency-key": "r-1" };
    const replayed = await ask("POST", `/v1/tasks/${made.id}/replay`, { headers });
    expect(replayed.status).toBe(202);
    expect(replayed.headers.location).toBe(`/v1/tasks/${replayed.json.id}`);
    expect(replayed.json).toMatchObject({
      status: "pending",
      source: `replay:${made.id}`,
      spec_digest: made.spec_digest,
      spec: made.spec,
      image: { image_id: "sha256:abc" },
    });
    const again = await ask("POST", `/v1/tasks/${made.id}/replay`, { headers });
    expect(again.json.id).toBe(replayed.json.id);
    const other = await ask("POST", `/v1/tasks/${replayed.json.id}/replay`, { headers });
    expect(other.json.code).toBe("IDEMPOTENCY_KEY_REUSED");
    expect(ledger.events.filter((one) => one.body.type === "submitted")).toHaveLength(2);
  });
});

describe("parameters and bodies", () => {
  it("that are not known are refused with the nearest known one", async () => {
    const { ask } = await apiFixture();
    const list = await ask("GET", "/v1/tasks?state=running");
    expect(list.json).toMatchObject({
      status: 400,
      code: "REQUEST_INVALID",
      errors: [{ pointer: "/state" }],
    });
    expect(list.json.errors[0].message).toContain("status");
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const cancel = await ask("POST", `/v1/tasks/${made.id}/cancel`, { headers: json, body: '{"reasn":"x"}' });
    expect(cancel.json.errors[0].message).toContain("did you mean reason?");
  });

  it("that cannot be read are refused by name", async () => {
    const { ask } = await apiFixture();
    const { json: made } = await ask("POST", "/v1/tasks", { headers: json, body: hello });
    const url = `/v1/tasks/${made.id}/cancel`;
    expect((await ask("POST", url, { headers: json, body: "{" })).json.code).toBe("BODY_INVALID");
    const form = { "content-type": "application/x-www-form-urlencoded" };
    expect((await ask("POST", "/v1/tasks", { headers: form, body: hello })).json.code).toBe(
      "UNSUPPORTED_MEDIA_TYPE",
    );
    expect((await ask("POST", "/v1/tasks", { headers: json, body: "x".repeat(2 ** 21) })).json.code).toBe(
      "BODY_TOO_LARGE",
    );
    expect((await ask("GET", "/v1/nodes?limit=1000")).json.code).toBe("REQUEST_INVALID");
  });

  it("page nodes by name", async () => {
    const { ask } = await apiFixture();
    const first = await ask("GET", "/v1/nodes?limit=2");
    expect(first.json.data.map((one: { name: string }) => one.name)).toEqual(["a", "b"]);
    const second = await ask("GET", `/v1/nodes?limit=2&cursor=${first.json.next_cursor}`);
    expect(second.json).toMatchObject({ data: [{ name: "c" }], next_cursor: null });
    expect((await ask("GET", "/v1/nodes?cursor=%0a")).json).toMatchObject({
      code: "CURSOR_INVALID",
      hint: "Leave the cursor out, or use the next_cursor of an earlier answer.",
    });
  });
});
