import { describe, expect, it } from "vitest";
import { comparison } from "../../../schemas/api/comparison.ts";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

const json = { "content-type": "application/json" };
const hello = JSON.stringify({ image: "cazi/toolbox:latest", command: ["echo", "hi"] });

/** Runs a task, or a replay of one, that prints `stdout`. */
async function ran(
  fixture: ApiFixture,
  of: { stdout: string; replayOf?: string; exit_code?: number; counted?: number },
): Promise<string> {
  const url = of.replayOf === undefined ? "/v1/tasks" : `/v1/tasks/${of.replayOf}/replay`;
  const body = of.replayOf === undefined ? { headers: json, body: hello } : {};
  const { id } = (await fixture.ask("POST", url, body)).json;
  const bytes = Buffer.from(of.stdout);
  const chunk = { node: "n1", attempt: 1, stream: "stdout", offset: 0, at: 1, dropped: null } as const;
  fixture.chunks.push({ ...chunk, task: id, bytes });
  await fixture.run(id, { exit_code: of.exit_code ?? 0, stdout: of.counted ?? bytes.length });
  return id;
}

describe("the comparison of a replay", () => {
  it("says that outcome and every byte are the same, of the task that it replays", async () => {
    const fixture = await apiFixture();
    const first = await ran(fixture, { stdout: "hi\n" });
    const replay = await ran(fixture, { stdout: "hi\n", replayOf: first });
    const answer = await fixture.ask("GET", `/v1/tasks/${replay}/comparison`);
    expect(comparison.parse(answer.json)).toMatchObject({
      task: replay,
      with: first,
      same: true,
      same_spec: true,
      same_image: true,
      stdout: { same: true, bytes: { task: 3, with: 3 }, first_difference: null },
      stderr: { same: true, bytes: { task: 0, with: 0 } },
    });
  });

  it("says what differs: the exit code, and the place in the output", async () => {
    const fixture = await apiFixture();
    const first = await ran(fixture, { stdout: "hi\n" });
    const replay = await ran(fixture, { stdout: "ho\n", replayOf: first, exit_code: 3 });
    const { json } = await fixture.ask("GET", `/v1/tasks/${replay}/comparison?with=${first}`);
    expect(json).toMatchObject({
      same: false,
      outcome: { same: false, task: { status: "failed", exit_code: 3 }, with: { status: "succeeded" } },
      stdout: { same: false, first_difference: { offset: 1, line: 1, task: { text: "ho\n" } } },
    });
  });

  it("is not made of a task that is not over, is no replay, or is not there", async () => {
    const fixture = await apiFixture();
    const first = await ran(fixture, { stdout: "hi\n" });
    const { id } = (await fixture.ask("POST", `/v1/tasks/${first}/replay`)).json;
    for (const [path, code] of [
      [`${id}/comparison`, "TASK_NOT_ENDED"],
      [`${first}/comparison`, "REQUEST_INVALID"],
      [`${first}/comparison?with=${"0".repeat(26)}`, "TASK_NOT_FOUND"],
      [`${first}/comparison?with=..`, "REQUEST_INVALID"],
    ]) {
      expect((await fixture.ask("GET", `/v1/tasks/${path}`)).json.code, path).toBe(code);
    }
  });

  it("does not take bytes that are still on their way for a difference", async () => {
    const fixture = await apiFixture();
    const first = await ran(fixture, { stdout: "hi\n" });
    const replay = await ran(fixture, { stdout: "h", replayOf: first, counted: 3 });
    const { json } = await fixture.ask("GET", `/v1/tasks/${replay}/comparison`);
    expect(json).toMatchObject({ status: 503, code: "OUTPUT_LATE" });
  });
});
