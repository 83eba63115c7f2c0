import { headers, type JsMsg } from "nats";
import { describe, expect, it } from "vitest";
import { logHeaders } from "../../schemas/messages/node.ts";
import { subjects } from "../../streams/subjects.ts";
import { LateOutput, type LatePorts } from "./lateOutput.ts";

const tasks = ["ended", "gone", "old"] as const;

/** LOGS with a chunk of each task; the fold knows two of them, one erased, up to `position`, the ledger is at 10. */
function given(position: number) {
  const asked: string[] = [];
  const deleted: number[] = [];
  const messages = tasks.map((task, index) => {
    const head = headers();
    head.set(logHeaders.tenant, "default");
    const subject = subjects.log({ node: "n1", task, attempt: 1, stream: "stdout" });
    return { seq: index + 1, subject, headers: head } as unknown as JsMsg;
  });
  const consumer = {
    info: async () => ({ num_pending: messages.length }),
    fetch: async () => messages,
    delete: async () => true,
  };
  const ports = {
    nats: {
      js: { consumers: { get: async () => consumer } },
      jsm: {
        streams: {
          info: async () => ({ state: { last_seq: messages.length } }),
          deleteMessage: async (_stream: string, seq: number) => deleted.push(seq) > 0,
        },
      },
    },
    shard: 0,
    ledger: {
      load: async ({ task }: { task: string }) => {
        asked.push(task);
        return { state: { status: task === "gone" ? "erased" : "succeeded" }, seq: 1 };
      },
    },
    live: {
      tasks: {
        position,
        get: () => undefined,
        isErased: (task: string) => ({ ended: false, gone: true })[task],
      },
    },
    feed: { lastSeq: async () => 10 },
    mayGoOn: () => undefined,
  } as unknown as LatePorts;
  return { asked, deleted, late: new LateOutput(ports) };
}

describe("the look for late output", () => {
  it("asks the ledger only of tasks that the fold does not know", async () => {
    const { asked, deleted, late } = given(10);
    expect(await late.look()).toEqual({ deleted: 1, more: false });
    expect(asked).toEqual(["old"]);
    expect(deleted).toEqual([2]);
  });

  it("believes no fold that stays behind the ledger", async () => {
    const { asked, deleted, late } = given(9);
    expect(await late.look()).toEqual({ deleted: 1, more: false });
    expect(asked).toEqual(["ended", "gone", "old"]);
    expect(deleted).toEqual([2]);
  });
});
