/** Output that breaks careless programs: a huge line, bytes that are no text, no last newline, nothing at all. */
import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import type { TaskOutput } from "../../schemas/api/taskOutput.ts";
import { residentBytes } from "../support/processTree.ts";
import { withProduct } from "../support/product.ts";

const product = withProduct();
const MiB = 1024 * 1024;
const hugeBytes = 100 * 1_000_000;
const shell = (script: string, more: object = {}) => ({
  image: "cazi/toolbox:latest",
  command: ["sh", "-c", script],
  timeout_seconds: 150,
  ...more,
});
const oneHugeLine = `head -c ${hugeBytes} /dev/zero | tr '\\0' 'a'`;

async function ended(spec: object) {
  const { id } = await product.api.submit(spec);
  return await product.api.ended(id, 150_000);
}

/** How far the memory of the process that runs all roles, the agent among them, rose while `work` went on. */
async function memoryRise(work: () => Promise<unknown>): Promise<number> {
  const before = residentBytes(product.up.pid);
  let highest = before;
  const sampling = setInterval(() => {
    highest = Math.max(highest, residentBytes(product.up.pid));
  }, 100);
  try {
    await work();
  } finally {
    clearInterval(sampling);
  }
  return highest - before;
}

describe("100 MB in one line", () => {
  it("is kept up to the cap, the rest is counted and said, and memory stays flat", async () => {
    let id = "";
    const rise = await memoryRise(async () => {
      const task = await ended(shell(oneHugeLine));
      id = task.id;
      expect(task).toMatchObject({ status: "succeeded", exit_code: 0 });
      expect(task.logs?.stdout).toEqual({ stored: 16 * MiB, dropped: hugeBytes - 16 * MiB });
    });
    console.info(`memory rose by ${Math.round(rise / MiB)} MiB for 100 MB with a cap of 16 MiB`);
    expect(rise).toBeLessThan(150 * 1_000_000);
    const { bytes, headers } = await product.api.raw(id);
    expect(bytes.equals(Buffer.alloc(16 * MiB, "a"))).toBe(true);
    expect(headers.get("cazi-truncated")).toBe("true");
    expect(headers.get("cazi-dropped")).toBe(String(hugeBytes - 16 * MiB));
    const { data } = (
      await product.api.request<{ data: { type: string; dropped_bytes: number }[] }>(
        "GET",
        `/v1/tasks/${id}/logs?tail=1`,
      )
    ).body;
    expect(data).toMatchObject([{ type: "truncated", dropped_bytes: hugeBytes - 16 * MiB }]);
    const { exit, stderr } = await product.cazi("output", id, "--raw");
    expect(exit).toBe(0);
    expect(stderr.toString()).toContain(String(hugeBytes - 16 * MiB));
  });

  it("is kept whole where the spec allows it", async () => {
    let id = "";
    const rise = await memoryRise(async () => {
      const task = await ended(shell(oneHugeLine, { max_output_bytes: hugeBytes }));
      id = task.id;
      expect(task.logs?.stdout).toEqual({ stored: hugeBytes, dropped: 0 });
    });
    console.info(`memory rose by ${Math.round(rise / MiB)} MiB for 100 MB kept whole`);
    expect(rise).toBeLessThan(150 * 1_000_000);
    const { bytes, headers } = await product.api.raw(id);
    const digest = (of: Uint8Array) => createHash("sha256").update(of).digest("hex");
    expect(digest(bytes)).toBe(digest(Buffer.alloc(hugeBytes, "a")));
    expect([headers.get("cazi-complete"), headers.get("cazi-truncated")]).toEqual(["true", null]);
  });
});

describe("output", () => {
  it.each([
    [
      "that is not UTF-8",
      "printf '\\377\\376\\000\\n\\200tail\\n'",
      Buffer.from("fffe000a807461696c0a", "hex"),
    ],
    ["without a final newline", "printf 'one\\ntwo'", Buffer.from("one\ntwo")],
    ["of nothing", "true", Buffer.alloc(0)],
    ["of a character cut in two by time", "printf '\\303'; sleep 1; printf '\\244\\n'", Buffer.from("ä\n")],
    ["of carriage returns only", "printf 'a\\rb\\r\\n'", Buffer.from("a\rb\r\n")],
  ])("%s comes back as the very bytes", async (_what, script, expected) => {
    const { id, status } = await ended(shell(script));
    expect(status).toBe("succeeded");
    const { bytes, headers } = await product.api.raw(id);
    expect(bytes).toEqual(expected);
    expect([headers.get("cazi-complete"), headers.get("cazi-truncated")]).toEqual(["true", null]);
    expect((await product.cazi("logs", "-f", id)).stdout).toEqual(expected);
  });

  it("of a task shorter than a moment is whole, every time", async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, async (_, n) => (await ended(shell(`echo ${n}; echo ${n} >&2`))).id),
    );
    for (const [n, id] of ids.entries()) {
      expect((await product.api.raw(id)).bytes.toString()).toBe(`${n}\n`);
      expect((await product.api.raw(id, "stderr")).bytes.toString()).toBe(`${n}\n`);
    }
  });

  it("that is not what output_format says leaves the outcome alone and says the line", async () => {
    const { id, status } = await ended(shell(`echo '{"a":1}'; echo 'not json'`, { output_format: "ndjson" }));
    expect(status).toBe("succeeded");
    const { body } = await product.api.request<TaskOutput>("GET", `/v1/tasks/${id}/output`);
    expect(body.parse_error).toMatchObject({ line: 2 });
  });
});
