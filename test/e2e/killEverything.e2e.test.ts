/** kill -9 of everything, and start again: one end, no byte lost. */
import { createHash } from "node:crypto";
import { afterEach, describe, expect, it } from "vitest";
import type { Task } from "../../schemas/api/task.ts";
import { bySubject, endsIn, natsOfHome, readLedger } from "../support/homeLedger.ts";
import { withProduct } from "../support/product.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct({ CAZI_NODE_SLOTS: "2" });
const image = "cazi/toolbox:latest";
const shell = (script: string, more: object = {}) => ({
  image,
  command: ["sh", "-c", script],
  timeout_seconds: 120,
  ...more,
});

/**
 * Prints blocks of random bytes, a few a second, and their SHA-256 at the end on stderr. Each block is printed
 * from the file that is hashed, so the container itself says what it wrote.
 */
const binaryOutput = (blocks: number) =>
  shell(
    [
      `i=0; while [ $i -lt ${blocks} ]; do`,
      "dd if=/dev/urandom of=/tmp/block bs=65536 count=1 2>/dev/null;",
      "cat /tmp/block; cat /tmp/block >> /tmp/all; i=$((i + 1)); sleep 0.25; done;",
      "sha256sum < /tmp/all | cut -c1-64 >&2; exit 9",
    ].join(" "),
  );

const printed = async (id: string) => (await product.api.raw(id)).bytes.length;
const isGone = (id: string) =>
  waitFor("its container to be gone", async () => (await product.containers.ofTask(id)) === null, {
    deadlineMs: 30_000,
  });

async function expectExactOutput(task: Task): Promise<void> {
  const [out, err] = [await product.api.raw(task.id), await product.api.raw(task.id, "stderr")];
  expect(out.headers.get("cazi-complete")).toBe("true");
  expect(task.logs?.stdout).toEqual({ stored: out.bytes.length, dropped: 0 });
  expect(createHash("sha256").update(out.bytes).digest("hex")).toBe(err.bytes.toString().trim());
}

afterEach(async () => {
  const histories = bySubject(await readLedger(natsOfHome(product.home)));
  for (const [subject, events] of histories) expect([subject, endsIn(events)]).toEqual([subject, 1]);
});

describe("after a kill -9 of everything", () => {
  it("a task that was printing goes on, ends once, with its true exit code and every byte", async () => {
    const { id } = await product.api.submit(binaryOutput(32));
    await waitFor("its output to begin", async () => (await printed(id)) > 3 * 65_536, {
      deadlineMs: 60_000,
    });
    await product.killAll();
    expect((await product.containers.ofTask(id))?.State).toBe("running");
    await product.start();
    const task = await product.api.ended(id, 120_000);
    expect(task).toMatchObject({ status: "failed", reason: "exit", exit_code: 9, attempt: 1 });
    expect(await printed(id)).toBe(32 * 65_536);
    await expectExactOutput(task);
    await isGone(id);
  });

  it("a task that ended meanwhile is reported with its true exit and all it printed", async () => {
    const { id } = await product.api.submit(binaryOutput(12));
    await waitFor("its output to begin", async () => (await printed(id)) > 0, { deadlineMs: 60_000 });
    await product.killAll();
    await waitFor("it to end", async () => (await product.containers.ofTask(id))?.State === "exited", {
      deadlineMs: 60_000,
    });
    await product.start();
    const task = await product.api.ended(id);
    expect(task).toMatchObject({ status: "failed", reason: "exit", exit_code: 9, attempt: 1 });
    await expectExactOutput(task);
    await isGone(id);
  });

  it("tasks that waited for a slot run, and one that was acknowledged a moment before does too", async () => {
    const holders = [await product.api.submit(shell("sleep 6")), await product.api.submit(shell("sleep 6"))];
    for (const { id } of holders) await product.api.hasStatus(id, "running");
    const waiting = await product.api.submit(shell("echo waited"));
    expect(waiting.status).toBe("pending");
    const last = await product.api.submit(shell("echo last"));
    await product.killAll();
    await product.start();
    for (const { id } of [...holders, waiting, last]) {
      expect(await product.api.ended(id, 120_000)).toMatchObject({ status: "succeeded", attempt: 1 });
    }
    expect((await product.api.raw(last.id)).bytes.toString()).toBe("last\n");
  });

  it("a cancelled task does not come back to life", async () => {
    const { id } = await product.api.submit(shell("trap '' TERM; echo begun; while :; do sleep 1; done"));
    await waitFor("it to begin", async () => (await printed(id)) > 0, { deadlineMs: 60_000 });
    expect((await product.api.cancel(id)).status).toBe(202);
    await product.killAll();
    await product.start();
    expect(await product.api.ended(id)).toMatchObject({ status: "cancelled" });
    await isGone(id);
  });
});
