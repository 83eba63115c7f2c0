import fastify from "fastify";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Rejection } from "../../kernel/errors.ts";
import { installProblemHandler } from "../http/problemHandler.ts";
import { apiFixture } from "../testing/apiFixture.ts";
import type { ChildTasks } from "./childTasks.ts";
import { processRoutes } from "./processRoutes.ts";

const child = {
  id: "c",
  status: "pending",
  reason: null,
  message: null,
  exit_code: null,
  signal: null,
  stdout: null,
  dropped_bytes: 0,
};

describe("the routes of commands", () => {
  const app = fastify();
  const asked: object[] = [];
  const told = (of: object) => {
    asked.push(of);
    return Promise.resolve(child);
  };
  const children: ChildTasks = {
    submit: ({ by, call, command }) => told({ task: by.task, call, command }),
    wait: ({ by, call, ms }) => told({ task: by.task, call, ms }),
    cancel: ({ by, call }) => told({ task: by.task, call }),
  };
  let up: ChildTasks | null = children;

  beforeAll(async () => {
    installProblemHandler(app, pino({ level: "silent" }));
    await app.register(processRoutes, {
      caller: async (authorization) => {
        if (authorization !== "Bearer good") throw new Rejection("WORKLOAD_TOKEN_INVALID", "No.");
        return { tenant: "acme", task: "t", attempt: 1, fence: "f" };
      },
      children: () => up,
    });
  });
  afterAll(() => app.close());

  const ask = async (method: "GET" | "POST", url: string, body?: string, token = "good") => {
    const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
    const payload = body === undefined ? {} : { payload: body };
    const answer = await app.inject({
      method,
      url,
      headers: body === undefined ? { authorization: headers.authorization } : headers,
      ...payload,
    });
    return { status: answer.statusCode, code: answer.json().code as string | undefined };
  };

  it("take a command, wait for it and cancel it, for the task of the token alone", async () => {
    expect((await ask("POST", "/process/3", '{"command":["a","b"]}')).status).toBe(202);
    expect((await ask("GET", "/process/3?wait=20")).status).toBe(200);
    expect((await ask("POST", "/process/3/cancel", "{}")).status).toBe(202);
    expect(asked.splice(0)).toEqual([
      { task: "t", call: 3, command: ["a", "b"] },
      { task: "t", call: 3, ms: 20_000 },
      { task: "t", call: 3 },
    ]);
  });

  it.each([
    ["POST", "/process/0", "{}"],
    ["POST", "/process/0", '{"command":[]}'],
    ["POST", "/process/0", '{"command":["a"],"image":"other"}'],
    ["POST", "/process/-1", '{"command":["a"]}'],
    ["POST", "/process/x", '{"command":["a"]}'],
    ["GET", "/process/0?wait=1000", undefined],
  ] as const)("refuse %s %s %s", async (method, url, body) => {
    expect(await ask(method, url, body)).toEqual({ status: 400, code: "REQUEST_INVALID" });
    expect(asked).toEqual([]);
  });

  it("refuse another token before anything else", async () => {
    expect(await ask("POST", "/process/0", '{"command":["a"]}', "bad")).toEqual({
      status: 401,
      code: "WORKLOAD_TOKEN_INVALID",
    });
  });

  it("say that they take none yet while the API is starting", async () => {
    up = null;
    expect(await ask("POST", "/process/0", '{"command":["a"]}')).toEqual({
      status: 503,
      code: "PROCESS_NOT_READY",
    });
  });
});

it("a script whose commands are to be tasks is refused at submit where nodes cannot ask for them", async () => {
  const script = { source: "1", tools: ["process"], process_image: "alpine" };
  const submit = async (takesCommands: boolean) => {
    const { ask, app } = await apiFixture({ takesCommands });
    const headers = { "content-type": "application/json" };
    const { status, json } = await ask("POST", "/v1/tasks", { headers, body: JSON.stringify({ script }) });
    await app.close();
    return { status, code: json.code, details: json.errors };
  };
  expect((await submit(true)).status).toBe(202);
  expect(await submit(false)).toMatchObject({ status: 422, code: "PROCESS_TASK_NOT_OFFERED" });
});
