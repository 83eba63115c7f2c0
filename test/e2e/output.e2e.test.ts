/** Output that breaks careless programs: a huge line, bytes that are no text, no last newline, nothing at all. */
import { createHash } from "node:crypto";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { TaskOutput } from "../../schemas/api/taskOutput.ts";
import { residentBytes } from "../support/processTree.ts";
import { withProduct } from "../support/product.ts";
import { waitFor } from "../support/waitFor.ts";

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

describe("a task with a connection", () => {
  const password = "hunter2-of-the-database";
  const other = "the other half";
  const hostFolders = () => readdirSync("/dev/shm").filter((name) => name.startsWith("cazi-"));
  const leftFiles = () =>
    hostFolders().flatMap((name) => {
      try {
        return readdirSync(`/dev/shm/${name}`, { recursive: true, encoding: "utf8" });
      } catch {
        return [];
      }
    });

  it("has its values as a variable and as files that any user reads and none changes; its output shows none", async () => {
    const argv = await product.cazi("connection", "set", "db", "--env", `PGPASSWORD=${password}`);
    expect(argv.exit).toBe(2);
    expect(argv.stderr.toString()).toContain("PGPASSWORD=@-");
    const file = join(product.home, "other");
    writeFileSync(file, other);
    const set = await product.startCazi(
      ["connection", "set", "db", "--env", "PGPASSWORD=@-", "--file", `tls/key=@${file}`],
      `${password}\n`,
    ).done;
    expect(set.exit, set.stderr.toString()).toBe(0);
    const script = [
      'echo "$PGPASSWORD $CAZI_TASK_ID $CAZI_ATTEMPT $CAZI_SECRETS"',
      "cat /run/secrets/cazi/db/tls/key",
      'printf "\\n%s" "$PGPASSWORD" | base64',
      "echo x > /run/secrets/cazi/db/tls/key || echo read-only",
      'printf "%s" "$CAZI_WORKLOAD_TOKEN" | wc -c >&2',
    ].join("; ");
    const task = await ended(shell(script, { connections: ["db"], user: "65534:65534" }));
    expect(task).toMatchObject({ status: "succeeded", exit_code: 0 });
    const { bytes } = await product.api.raw(task.id);
    const text = bytes.toString();
    const stars = "*".repeat(password.length);
    expect(text).toContain(`${stars} ${task.id} 1 /run/secrets/cazi\n${"*".repeat(other.length)}`);
    expect(text).toContain("read-only");
    expect(text).not.toMatch(/hunter2|other half|aHVudGVyMi/);
    expect(task.logs?.stderr.stored).toBeGreaterThan(3);
    await waitFor(
      "its files to be gone from the node",
      () => !leftFiles().some((name) => name.includes(task.id)),
    );
  });

  it("ends with connection_missing where that was removed before the start, and an unknown one is refused", async () => {
    const alone = { concurrency_key: "one at a time", concurrency_limit: 1 };
    const first = await product.api.submit(shell("sleep 2", alone));
    await waitFor("the first to run", async () => (await product.api.task(first.id)).status !== "pending");
    const spec = shell("true", { connections: ["db"], ...alone });
    const { id } = await product.api.submit(spec);
    expect((await product.cazi("connection", "remove", "db")).exit).toBe(0);
    expect(await product.api.ended(id, 30_000)).toMatchObject({
      status: "failed",
      reason: "connection_missing",
    });
    const refused = await product.api.request<{ code: string }>("POST", "/v1/tasks", { body: spec });
    expect(refused.body.code).toBe("CONNECTION_UNKNOWN");
  });
});
