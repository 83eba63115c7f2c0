import { expect, it } from "vitest";
import { waitFor } from "../../../test/support/waitFor.ts";
import { type Asked, localEndpoints, type Reply } from "../testing/localEndpoints.ts";
import { runProgram } from "../testing/runProgram.ts";
import { controlPlaneRunner } from "./controlPlaneRunner.ts";

const CALL = `
  try { emit({ r: await callTool("process", { command: "make", args: ["x"] }) }); }
  catch (error) { emit({ code: error.code, message: error.message }); }`;

async function callBeside(reply: (asked: Asked, count: number) => Reply, flags: readonly string[] = []) {
  const plane = await localEndpoints(reply);
  try {
    const taskRunner = controlPlaneRunner({
      url: "http://plane.test",
      token: "tok-of-the-operator",
      image: "img",
      network: plane.network,
    });
    const run = await runProgram(CALL, { flags: ["--tool=process", ...flags], taskRunner });
    const isCancel = ({ url }: Asked) => url.endsWith("/cancel");
    const cancelled = () => waitFor("the cancel", () => plane.asked.some(isCancel));
    if (flags.length > 0) await cancelled();
    return { run, asked: plane.asked };
  } finally {
    await plane.close();
  }
}

it("submits a command as a task, waits for its end, also beside a restart, and has its id and outcome in the log", async () => {
  const away = new Set<string>();
  const { run, asked } = await callBeside(({ method, url }) => {
    if (method === "POST") return { status: 202, body: { id: "t1", status: "pending" } };
    if (!away.has(url)) {
      away.add(url);
      return { status: 503, body: { code: "PROJECTOR_DOWN" } };
    }
    if (url.includes("/output")) return { body: { value: "done\n" } };
    return { body: { id: "t1", status: "failed", exit_code: 3, reason: "exit" } };
  });
  expect(run.events).toEqual([
    { r: { task: "t1", status: "failed", reason: "exit", code: 3, signal: null, stdout: "done\n" } },
  ]);
  expect(JSON.parse(asked[0]!.body)).toMatchObject({ image: "img", command: ["make", "x"], network: "none" });
  expect(asked[0]!.headers.authorization).toBe("Bearer tok-of-the-operator");
  const [intent, known] = run.of("process_task");
  expect(asked[0]!.headers["idempotency-key"]).toBe(intent!.idempotency_key);
  expect(known).toMatchObject({ task: "t1", idempotency_key: intent!.idempotency_key });
  expect(run.of("tool_result")).toMatchObject([{ result: { task: "t1", code: 3 } }]);
});

it("says why the control plane refuses, and submits nothing else", async () => {
  const { run, asked } = await callBeside(() => ({ status: 403, body: { code: "ROLE_TOO_LOW" } }));
  expect(run.events).toMatchObject([{ code: "PROCESS_TASK_REFUSED" }]);
  expect(run.events[0]!.message).toContain("ROLE_TOO_LOW");
  expect(asked).toHaveLength(1);
});

it("cancels the task whose call is over, found again by its key", async () => {
  const { run, asked } = await callBeside(
    () => ({ body: { id: "t1", status: "running" } }),
    ["--tool-timeout-ms=300"],
  );
  expect(run.events).toMatchObject([{ code: "TOOL_TIMEOUT" }]);
  const submits = asked.filter(({ method, url }) => method === "POST" && url.endsWith("/v1/tasks"));
  expect(new Set(submits.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
  expect(asked.some(({ url }) => url.endsWith("/v1/tasks/t1/cancel"))).toBe(true);
});
