/** The disk under the home fills up and is freed again, while tasks are acknowledged. Needs root, for a small disk. */
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { makeProduct } from "../support/product.ts";
import { type SmallDisk, smallDisk } from "../support/smallDisk.ts";
import { waitFor } from "../support/waitFor.ts";

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)("a disk that fills up", () => {
  const systemTmp = process.env.TMPDIR;
  let disk: SmallDisk;
  const product = makeProduct({ CAZI_NODE_RUNTIME: "noop", CAZI_NODE_SLOTS: "8" });
  const submit = (seconds: string) =>
    product.api.request<{ id?: string; code?: string }>("POST", "/v1/tasks", {
      body: { image: "cazi/toolbox:latest", command: ["sleep", seconds], timeout_seconds: 300 },
    });

  beforeAll(async () => {
    disk = smallDisk(400);
    process.env.TMPDIR = disk.path;
    await product.start();
  });
  afterAll(async () => {
    await product.remove();
    if (systemTmp === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = systemTmp;
    disk.remove();
  });

  it("is told as what it is, and once there is room again everything acknowledged ends once", async () => {
    const before = await submit("1");
    expect(before.status).toBe(202);
    disk.fill();
    const refused = await waitFor(
      "a submit to be refused for want of room",
      async () => {
        const answer = await submit("0");
        return answer.body.code === "STORAGE_FULL" ? answer : null;
      },
      { deadlineMs: 60_000, pollMs: 500 },
    );
    expect(refused.status).toBe(503);
    disk.free();
    const after = await waitFor(
      "a submit to be taken again",
      async () => {
        const answer = await submit("0");
        return answer.status === 202 ? answer : null;
      },
      { deadlineMs: 90_000, pollMs: 500 },
    );
    for (const { body } of [before, after]) {
      expect(await product.api.ended(body.id!, 60_000)).toMatchObject({ status: "succeeded", exit_code: 0 });
      // The end is told from the ledger; the history is read from Postgres, which may be a moment behind.
      const types = await waitFor("the history to hold the end", async () => {
        const history = (await product.api.events(body.id!)).map((event) => event.type);
        return history.includes("succeeded") ? history : null;
      });
      expect(types.filter((type) => type === "succeeded")).toHaveLength(1);
    }
  });
});
