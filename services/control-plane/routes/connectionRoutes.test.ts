import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { oneTokenVerifier } from "../http/authenticate.ts";
import type { Role } from "../ports.ts";
import { type ApiFixture, apiFixture, testTenant, testToken } from "../testing/apiFixture.ts";

const password = "hunter2-hunter2";
const pem = "-----BEGIN KEY-----\nYWJjZGVmZ2hpamtsbW5vcHFyc3R1\n-----END KEY-----\n";
let api: ApiFixture;
beforeAll(async () => {
  api = await apiFixture();
});
afterAll(() => api.app.close());

async function ask(
  method: "GET" | "PUT" | "DELETE" | "POST",
  url: string,
  body?: object,
  headers: object = {},
) {
  const answer = await api.app.inject({
    method,
    url,
    headers: { host: "localhost:7070", authorization: `Bearer ${testToken}`, ...headers },
    ...(body === undefined ? {} : { payload: body }),
  });
  return { status: answer.statusCode, text: answer.body, json: answer.body ? JSON.parse(answer.body) : null };
}
const submit = (connections: readonly string[], key = `${Math.random()}`) =>
  ask("POST", "/v1/tasks", { image: "cazi/toolbox:latest", connections }, { "idempotency-key": key });

describe("connections over the API", () => {
  it("take values and never give them back, in no answer and in no line of the log", async () => {
    const made = await ask("PUT", "/v1/connections/github", {
      environment: { API_KEY: password },
      files: { "tls/key.pem": Buffer.from(pem).toString("base64") },
      registry: { host: "ghcr.io", username: "bot", password },
      description: "for releases",
    });
    expect(made.status).toBe(201);
    expect(made.json).toMatchObject({
      name: "github",
      kind: "secrets",
      version: 1,
      environment: ["API_KEY"],
      files: ["tls/key.pem"],
      registry: { host: "ghcr.io", username: "bot" },
      created_by: "user:admin",
    });
    const texts = [made.text, (await ask("GET", "/v1/connections")).text];
    texts.push((await ask("GET", "/v1/connections/github")).text, JSON.stringify(api.logged));
    for (const text of texts) expect(text).not.toMatch(/hunter2|YWJjZGVm|LS0tLS1CRUdJTi/);
    expect((await ask("PUT", "/v1/connections/github", { environment: { A: password } })).status).toBe(200);
  });

  it("refuse what output could not be masked for, say the minimum and where it stands, and store nothing", async () => {
    const short = {
      environment: { PIN: "12345", LONG: password, PADDED: "  abcde\n" },
      files: { "tls/pin": Buffer.from("123\n").toString("base64"), empty: "" },
      registry: { host: "ghcr.io", username: "b", password: "é1" },
    };
    const refused = await ask("PUT", "/v1/connections/pins", short);
    expect(refused.json).toMatchObject({ status: 422, code: "CONNECTION_VALUE_SHORT", minimum_bytes: 6 });
    const pointers = refused.json.errors.map(({ pointer }: { pointer: string }) => pointer);
    expect(pointers).toEqual([
      "/environment/PIN",
      "/environment/PADDED",
      "/files/tls~1pin",
      "/registry/password",
    ]);
    expect(refused.text).not.toMatch(/12345|abcde/);
    expect((await ask("GET", "/v1/connections/pins")).status).toBe(404);
    expect((await ask("PUT", "/v1/connections/pins", { environment: { PIN: "123456" } })).status).toBe(201);
  });

  it.each([
    ["no text", { environment: { API_KEY: 9_999_123 } }, "/environment/API_KEY"],
    ["a reserved name", { environment: { CAZI_TOKEN: "v-9999123" } }, "/environment/CAZI_TOKEN"],
    ["a path that leads elsewhere", { files: { "../x": "OTk5OTEyMw==" } }, "/files/..~1x"],
    ["no base64", { files: { key: "no base64 9999123" } }, "/files/key"],
    [
      "an address for a host",
      { registry: { host: "https://x", username: "u", password: "9999123" } },
      "/registry/host",
    ],
    ["too much", { environment: { A: "9999123".repeat(4_000) } }, ""],
    ["nothing", {}, ""],
    ["an unknown member", { environmen: { A: "9999123" } }, "/environmen"],
  ])("refuse %s, say where, and repeat no value", async (_what, body, pointer) => {
    const refused = await ask("PUT", "/v1/connections/wrong", body);
    expect(refused.status).toBe(400);
    expect(refused.json.errors[0].pointer).toBe(pointer);
    expect(refused.text).not.toContain("9999123");
  });

  it("are written by admins alone, and seen by viewers", async () => {
    const as = (role: Role) =>
      apiFixture({
        tokens: oneTokenVerifier({
          token: testToken,
          principal: { tenant: testTenant, actor: "user:b", role, installation: false },
        }),
      });
    const [operator, viewer] = [await as("operator"), await as("viewer")];
    const headers = { host: "localhost:7070", authorization: `Bearer ${testToken}` };
    const of = { url: "/v1/connections/x", headers } as const;
    for (const method of ["PUT", "DELETE"] as const) {
      expect((await operator.app.inject({ ...of, method, payload: {} })).json().code).toBe("ROLE_TOO_LOW");
    }
    expect((await viewer.app.inject({ headers, method: "GET", url: "/v1/connections" })).json()).toEqual({
      data: [],
    });
    await Promise.all([operator.app.close(), viewer.app.close()]);
  });
});

describe("a spec with connections", () => {
  it("is refused where one is unknown, with the nearest name, and stores nothing", async () => {
    await ask("PUT", "/v1/connections/postgres", { environment: { PGPASSWORD: password } });
    const refused = await submit(["github", "postgre"]);
    expect(refused.status).toBe(422);
    expect(refused.json).toMatchObject({
      code: "CONNECTION_UNKNOWN",
      hint: "Did you mean postgres?",
      errors: [{ pointer: "/connections/1" }],
    });
    expect(api.ledger.events).toHaveLength(0);
  });

  it("is accepted where all are there, and its repeat has the first answer though one is gone since", async () => {
    await ask("PUT", "/v1/connections/brief", { environment: { X: password } });
    const first = await submit(["brief"], "key-1");
    expect(first.status).toBe(202);
    expect((await ask("DELETE", "/v1/connections/brief")).status).toBe(204);
    expect((await ask("DELETE", "/v1/connections/brief")).json.code).toBe("CONNECTION_NOT_FOUND");
    expect((await submit(["brief"], "key-1")).json.id).toBe(first.json.id);
    expect((await submit(["brief"], "key-2")).json.code).toBe("CONNECTION_UNKNOWN");
  });
});

describe("the output of a task with connections", () => {
  const text = `user=bot pass=${password}\n${Buffer.from(password).toString("base64")}\n{"k":"${password}"}\n`;
  const masked = `user=bot pass=***************\n********************\n{"k":"***************"}\n`;
  let id = "";

  beforeAll(async () => {
    await ask("PUT", "/v1/connections/db", { environment: { PGPASSWORD: password } });
    id = (await submit(["db"])).json.id;
    await api.run(id, { stdout: text.length });
    // Seven bytes a chunk: every secret is in several.
    for (let offset = 0; offset < text.length; offset += 7) {
      const bytes = Buffer.from(text.slice(offset, offset + 7));
      api.chunks.push({
        task: id,
        node: "n1",
        attempt: 1,
        stream: "stdout",
        offset,
        at: 1,
        bytes,
        dropped: null,
      });
    }
    // A value that is replaced, and a connection that is removed, stay masked.
    await ask("PUT", "/v1/connections/db", { environment: { PGPASSWORD: "another-password" } });
    await ask("DELETE", "/v1/connections/db");
  });

  it("is masked as bytes, of the same length", async () => {
    expect((await api.ask("GET", `/v1/tasks/${id}/output/raw`)).raw.toString()).toBe(masked);
  });

  it("is masked as a value", async () => {
    expect((await api.ask("GET", `/v1/tasks/${id}/output`)).json.value).toBe(masked);
  });

  it("is masked in each page of lines, wherever it begins", async () => {
    const lines: string[] = [];
    for (let after: string | null = "0.0.0"; after !== null; ) {
      const page: { data: { text: string }[]; next_cursor: string | null } = (
        await api.ask("GET", `/v1/tasks/${id}/logs?limit=1&after=${after}`)
      ).json;
      lines.push(...page.data.map((entry) => entry.text));
      after = page.next_cursor;
    }
    expect(lines.join("\n")).toBe(masked.trimEnd());
  });

  it("is masked where it is read from the middle of a secret, and where it is followed", async () => {
    const middle = (await api.ask("GET", `/v1/tasks/${id}/logs?after=1.20.0&limit=1`)).json;
    expect(middle.data[0].text).toBe(masked.slice(20, masked.indexOf("\n")));
    const followed = await api.ask("GET", `/v1/tasks/${id}/logs?follow=true`);
    expect(followed.raw.toString()).toContain("pass=***************");
    expect(followed.raw.toString()).not.toMatch(/hunter2|aHVudGVyMi/);
  });

  it("is not shown while it cannot be told what to mask", async () => {
    const away = async () => Promise.reject(new Error("timeout"));
    const { createConnectionStore } = await import("../../kernel/connections/connectionStore.ts");
    const { openMasterKey } = await import("../../kernel/sealing/masterKey.ts");
    const connections = createConnectionStore({
      kv: { get: away } as never,
      master: openMasterKey("a master key that is used in tests alone"),
      clock: { now: () => 0, monotonicMs: () => 0 },
    });
    const blind = await apiFixture({ ledger: api.ledger, connections });
    blind.chunks.push(...api.chunks);
    for (const path of ["logs", "logs?follow=true", "output", "output/raw"]) {
      expect((await blind.ask("GET", `/v1/tasks/${id}/${path}`)).json?.code, path).toBe(
        "CONNECTIONS_UNAVAILABLE",
      );
    }
    await blind.app.close();
  });
});
