import { describe, expect, it } from "vitest";
import { logPage } from "../../../schemas/api/logEntry.ts";
import { taskOutput } from "../../../schemas/api/taskOutput.ts";
import { logTailMs, outputParseBytesMax } from "../limits.ts";
import { type ApiFixture, apiFixture } from "../testing/apiFixture.ts";

async function submitted(fixture: ApiFixture, spec: object = {}): Promise<string> {
  const body = JSON.stringify({ image: "cazi/toolbox:latest", ...spec });
  return (await fixture.ask("POST", "/v1/tasks", { headers: { "content-type": "application/json" }, body }))
    .json.id;
}

function store(
  fixture: ApiFixture,
  text: string | Buffer,
  more: { offset?: number; stream?: "stderr"; node?: string; dropped?: number } = {},
) {
  fixture.chunks.push({
    node: "n1",
    attempt: 1,
    stream: "stdout",
    offset: 0,
    at: 1_700_000_000_000,
    dropped: null,
    bytes: Buffer.from(text as string),
    ...more,
  });
}

describe("logs as pages", () => {
  it("are read to the end and then have no next page", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "one\ntwo\nthree");
    const running = await fixture.ask("GET", `/v1/tasks/${id}/logs`);
    expect(running.json.data.map((one: { text: string }) => one.text)).toEqual(["one", "two"]);
    expect(running.json.next_cursor).toBe("1.8.0");
    await fixture.run(id, { stdout: 13 });
    const rest = await fixture.ask("GET", `/v1/tasks/${id}/logs?after=${running.json.next_cursor}`);
    expect(rest.json).toMatchObject({ data: [{ text: "three", ending: "end" }], next_cursor: null });
    expect(logPage.safeParse(rest.json).error).toBeUndefined();
  });

  it("go on page by page until all is read, the record of what was dropped included", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "a\nb\nc\n");
    store(fixture, "", { offset: 6, dropped: 9 });
    await fixture.run(id, { stdout: 6, dropped: 9 });
    const seen: string[] = [];
    let after = "0.0.0";
    for (let pages = 0; pages < 20; pages++) {
      const { json } = await fixture.ask("GET", `/v1/tasks/${id}/logs?limit=1&after=${after}`);
      for (const one of json.data) seen.push(one.type === "line" ? one.text : `dropped ${one.dropped_bytes}`);
      if (json.next_cursor === null) break;
      after = json.next_cursor;
    }
    expect(seen).toEqual(["a", "b", "c", "dropped 9"]);
  });

  it("may begin with the last entries, and hold one stream only", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "1\n2\n3\n");
    store(fixture, "err\n", { stream: "stderr" });
    const tail = await fixture.ask("GET", `/v1/tasks/${id}/logs?tail=2&stream=stdout`);
    expect(tail.json.data.map((one: { text: string }) => one.text)).toEqual(["2", "3"]);
    const error = await fixture.ask("GET", `/v1/tasks/${id}/logs?stream=stderr`);
    expect(error.json.data).toMatchObject([{ text: "err", stream: "stderr" }]);
    expect((await fixture.ask("GET", `/v1/tasks/${id}/logs?tail=2&after=1.0.0`)).json.code).toBe(
      "REQUEST_INVALID",
    );
    expect((await fixture.ask("GET", `/v1/tasks/${id}/logs?after=x`)).json.code).toBe("REQUEST_INVALID");
  });

  it("hold nothing that another node says of the attempt", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    await fixture.run(id, { stdout: 5 });
    store(fixture, "lies\n", { node: "n2" });
    store(fixture, "true\n");
    const { json } = await fixture.ask("GET", `/v1/tasks/${id}/logs`);
    expect(json.data.map((one: { text: string }) => one.text)).toEqual(["true"]);
    expect((await fixture.ask("GET", `/v1/tasks/${id}/output/raw`)).raw.toString()).toBe("true\n");
  });
});

describe("logs as events", () => {
  it("come as they are stored and end with the outcome, after the last byte", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "one\n");
    const following = fixture.ask("GET", `/v1/tasks/${id}/logs?follow=true`);
    await fixture.run(id, { exit_code: 3, stdout: 8 });
    store(fixture, "two\n", { offset: 4 });
    const text = (await following).raw.toString();
    expect((await following).headers["content-type"]).toBe("text/event-stream");
    expect(text.match(/^id: .*$/gm)).toEqual(["id: 1.4.0", "id: 1.8.0"]);
    const end = JSON.parse(/event: end\ndata: (.*)/.exec(text)![1]!);
    expect(end).toMatchObject({ status: "failed", exit_code: 3, reason: "exit", complete: true });
    expect(text.indexOf("two")).toBeLessThan(text.indexOf("event: end"));
  });

  it("go on after Last-Event-ID", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "one\ntwo\n");
    await fixture.run(id, { stdout: 8 });
    const headers = { accept: "text/event-stream", "last-event-id": "1.4.0" };
    const text = (await fixture.ask("GET", `/v1/tasks/${id}/logs`, { headers })).raw.toString();
    expect(text).not.toContain("one");
    expect(text).toContain("two");
  });

  it("end for a task that never started, and are a problem for one that is not there", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    const following = fixture.ask("GET", `/v1/tasks/${id}/logs?follow=true`);
    await fixture.ask("POST", `/v1/tasks/${id}/cancel`);
    expect((await following).raw.toString()).toContain('"status":"cancelled"');
    const missing = await fixture.ask("GET", `/v1/tasks/${"0".repeat(26)}/logs?follow=true`);
    expect(missing.json.code).toBe("TASK_NOT_FOUND");
  });

  it("say what was dropped even where no record of it came", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "one\n");
    await fixture.run(id, { stdout: 4, dropped: 11 });
    const text = (await fixture.ask("GET", `/v1/tasks/${id}/logs?follow=true`)).raw.toString();
    expect(text).toContain('"type":"truncated"');
    expect(text).toContain('"dropped_bytes":11');
  });
});

describe("output", () => {
  it("is parsed as the spec says, and what cannot be leaves the exit code alone", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture, { output_format: "ndjson" });
    store(fixture, '{"a":1}\nnope\n');
    await fixture.run(id, { stdout: 13 });
    const { json } = await fixture.ask("GET", `/v1/tasks/${id}/output`);
    expect(taskOutput.safeParse(json).error).toBeUndefined();
    expect(json).toMatchObject({
      status: "succeeded",
      exit_code: 0,
      format: "ndjson",
      value: [{ a: 1 }],
      parse_error: { line: 2 },
      bytes: 13,
      complete: true,
    });
  });

  it.each([
    ["# größer\n", { value: "# größer\n", parse_error: null, text: null }],
    [Buffer.from("# gr\u00f6\u00dfer\n", "latin1"), { value: null, parse_error: { line: 1 } }],
  ])(
    "is a document where the spec says markdown, or says that it is no text (%s)",
    async (printed, parsed) => {
      const fixture = await apiFixture();
      const id = await submitted(fixture, { output_format: "markdown" });
      store(fixture, printed);
      await fixture.run(id, { stdout: Buffer.byteLength(printed) });
      const { json } = await fixture.ask("GET", `/v1/tasks/${id}/output`);
      expect(taskOutput.safeParse(json).error).toBeUndefined();
      expect(json).toMatchObject({ status: "succeeded", format: "markdown", complete: true, ...parsed });
    },
  );

  it("is empty for a task that has not run", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    expect((await fixture.ask("GET", `/v1/tasks/${id}/output`)).json).toMatchObject({
      value: "",
      complete: false,
    });
    const raw = await fixture.ask("GET", `/v1/tasks/${id}/output/raw`);
    expect([raw.status, raw.raw.length, raw.headers["cazi-complete"]]).toEqual([200, 0, "false"]);
  });

  it("has its very bytes, each once, and says what was dropped", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    const bytes = Buffer.from([0, 255, 10, 128, 13, 10, 200]);
    store(fixture, bytes.subarray(0, 4));
    store(fixture, bytes.subarray(2), { offset: 2 });
    store(fixture, bytes.subarray(2), { offset: 2 });
    await fixture.run(id, { stdout: 7, dropped: 5 });
    const raw = await fixture.ask("GET", `/v1/tasks/${id}/output/raw`);
    expect(raw.raw.equals(bytes)).toBe(true);
    expect(raw.headers).toMatchObject({
      "content-type": "application/octet-stream",
      "cazi-dropped": "5",
      "cazi-truncated": "true",
      "cazi-complete": "true",
      "x-content-type-options": "nosniff",
    });
  });

  it("breaks off where bytes are missing, and never looks whole", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "abc");
    store(fixture, "xyz", { offset: 5 });
    await fixture.run(id, { stdout: 8 });
    await expect(fixture.ask("GET", `/v1/tasks/${id}/output/raw`)).rejects.toThrow();
  });

  it("does not look whole, in any form, where its end is not in the store", async () => {
    const fixture = await apiFixture();
    const id = await submitted(fixture);
    store(fixture, "one\n");
    await fixture.run(id, { stdout: 8 });
    expect(await fixture.ask("GET", `/v1/tasks/${id}/output`)).toMatchObject({
      status: 503,
      json: { code: "OUTPUT_LATE", detail: expect.stringContaining("last 4 of 8 bytes") },
    });
    await expect(fixture.ask("GET", `/v1/tasks/${id}/output/raw`)).rejects.toThrow();
    store(fixture, "two\n", { offset: 4 });
    expect((await fixture.ask("GET", `/v1/tasks/${id}/output`)).json.value).toBe("one\ntwo\n");
  });

  it("is told as a gap of the log once nobody can wait for it any more, from its start and from its end", async () => {
    let laterMs = 0;
    const clock = { now: () => Date.now() + laterMs, monotonicMs: () => performance.now() };
    const fixture = await apiFixture({ clock });
    const id = await submitted(fixture);
    await fixture.run(id, { stdout: 8 });
    const page = async (query: string) => (await fixture.ask("GET", `/v1/tasks/${id}/logs?${query}`)).json;
    const none = { data: [], next_cursor: expect.any(String) };
    expect(await page("")).toMatchObject(none);
    expect(await page("tail=5")).toMatchObject(none);
    laterMs = logTailMs + 1_000;
    const gap = { type: "gap", stream: "stdout", attempt: 1, text: "", dropped_bytes: 8 };
    expect(await page("")).toMatchObject({ data: [gap], next_cursor: null });
    expect(await page("tail=5")).toMatchObject({ data: [gap], next_cursor: null });
    store(fixture, "one\n");
    expect(await page("tail=5")).toMatchObject({ data: [{ text: "one" }, { ...gap, dropped_bytes: 4 }] });
  });

  it("is parsed up to the cap and marked beyond it, and the task's end stays as it was", async () => {
    for (const [bytes, code] of [
      [outputParseBytesMax, null],
      [outputParseBytesMax + 1, "cut"],
    ] as const) {
      const fixture = await apiFixture();
      const id = await submitted(fixture, { output_format: "json" });
      store(fixture, `"${"x".repeat(bytes - 2)}"`);
      await fixture.run(id, { stdout: bytes });
      const { json } = await fixture.ask("GET", `/v1/tasks/${id}/output`);
      expect(json, `${bytes}`).toMatchObject({ status: "succeeded", exit_code: 0, bytes });
      expect(json.truncated).toBe(code !== null);
      if (code === null) expect(json.parse_error).toBeNull();
      else expect(json.parse_error.message).toContain(code);
      expect((await fixture.ask("GET", `/v1/tasks/${id}`)).json).toMatchObject({ status: "succeeded" });
    }
  });
});
