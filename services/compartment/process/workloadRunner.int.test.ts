import { expect, it } from "vitest";
import { waitFor } from "../../../test/support/waitFor.ts";
import { type Asked, localEndpoints, type Reply } from "../testing/localEndpoints.ts";
import { runProgram } from "../testing/runProgram.ts";
import { workloadRunner } from "./workloadRunner.ts";

const CALL = `
  try { emit({ r: await callTool("process", { command: "make", args: ["x"] }) }); }
  catch (error) { emit({ code: error.code, message: error.message }); }`;

/** @param until what has to have been asked, also after the run */
async function callBeside(
  reply: (asked: Asked, count: number) => Reply,
  { limitMs = 5_000, until = "" }: { limitMs?: number; until?: string } = {},
) {
  const plane = await localEndpoints(reply);
  try {
    const { network } = plane;
    const taskRunner = workloadRunner({ url: "http://plane.test/process", token: "of-the-attempt", network });
    const flags = ["--tool=process", `--tool-timeout-ms=${limitMs}`];
    const run = await runProgram(CALL, { flags, taskRunner });
    await waitFor(until, () => plane.asked.some(({ url }) => url.endsWith(until)));
    return { run, asked: plane.asked };
  } finally {
    await plane.close();
  }
}

it("asks with the attempt's token, again while it is not answered, and has number, id and outcome in the log", async () => {
  const { run, asked } = await callBeside(({ method }, count) => {
    if (count <= 1) return { status: 503, body: { code: "PROCESS_NOT_READY" } };
    if (method === "POST") return { status: 202, body: { id: "c1", status: "pending" } };
    return { body: { id: "c1", status: "failed", exit_code: 3, reason: "exit", stdout: "x\n" } };
  });
  expect(run.events).toMatchObject([
    { r: { task: "c1", status: "failed", reason: "exit", code: 3, stdout: "x\n", dropped_bytes: 0 } },
  ]);
  expect(asked.filter(({ method }) => method === "POST").length).toBeGreaterThan(1);
  expect(asked.every(({ headers }) => headers.authorization === "Bearer of-the-attempt")).toBe(true);
  expect(JSON.parse(asked[0]!.body)).toEqual({ command: ["make", "x"] });
  expect(run.of("process_task")).toMatchObject([{ call: 0 }, { call: 0, task: "c1" }]);
  expect(run.of("tool_result")).toMatchObject([{ result: { task: "c1", code: 3 } }]);
});

it.each([
  [429, "QUOTA_EXCEEDED", "PROCESS_TASK_REFUSED"],
  [403, "PROCESS_NOT_GRANTED", "PROCESS_TASK_REFUSED"],
  [500, "OUTPUT_INCOMPLETE", "PROCESS_TASK_UNKNOWN"],
])(
  "tells the program an answer %i %s as %s, and does not ask for the same again",
  async (status, code, told) => {
    const { run, asked } = await callBeside(() => ({ status, body: { code } }));
    expect(run.events).toMatchObject([{ code: told, message: expect.stringContaining(code) }]);
    expect(asked.filter(({ url }) => !url.endsWith("/cancel"))).toHaveLength(1);
  },
);

it("cancels the child whose call is over, by the number of the call", async () => {
  const { run } = await callBeside(() => ({ body: { id: "c1", status: "running" } }), {
    limitMs: 300,
    until: "/process/0/cancel",
  });
  expect(run.events).toMatchObject([{ code: "TOOL_TIMEOUT" }]);
});
