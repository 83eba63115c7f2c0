/** What every ledger of tasks must do: the real one, and the one in memory that tests of the API stand on. */
import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ledgerOnNats, submitCommand } from "../../../test/support/ledgerOnNats.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { createMemoryLedger } from "../../control-plane/testing/memoryLedger.ts";
import { newId } from "../ids.ts";
import type { Nats } from "../nats/connectNats.ts";
import type { TaskLedger } from "./taskLedger.ts";

const server = withNats();
let nats: Nats;
let real: TaskLedger;
const memory = createMemoryLedger();

beforeAll(async () => {
  ({ nats, ledger: real } = await ledgerOnNats(server));
});
afterAll(() => nats.close());

const command = <T extends object>(wish: T) => ({ at: Date.now(), id: randomUUID(), ...wish });

describe.each([
  ["in JetStream", () => real],
  ["in memory", () => memory],
] as const)("a ledger %s", (_where, open) => {
  it("knows nothing of a task that was never submitted", async () => {
    const key = { tenant: "default", task: newId(Date.now()) };
    expect(await open().load(key)).toEqual({ state: { status: "absent" }, seq: 0 });
    expect(await open().first(key)).toBeNull();
    const schedule = command({ kind: "schedule", node: "n1" } as const);
    expect(await open().execute(key, schedule)).toMatchObject({ refused: true, code: "TASK_NOT_FOUND" });
  });

  it("gives the state after its newest event and the spec of its first, with growing sequences", async () => {
    const key = { tenant: "default", task: newId(Date.now()) };
    const submitted = await open().execute(key, submitCommand('{"image":"a"}'));
    const scheduled = await open().execute(key, command({ kind: "schedule", node: "n1" } as const));
    expect(submitted).toMatchObject({
      state: { status: "pending" },
      events: [{ body: { type: "submitted" } }],
    });
    expect(scheduled).toMatchObject({ state: { status: "scheduled", node: "n1" } });
    const loaded = await open().load(key);
    expect(loaded).toEqual({
      state: (scheduled as typeof loaded).state,
      seq: (scheduled as typeof loaded).seq,
    });
    expect(loaded.seq).toBeGreaterThan((submitted as typeof loaded).seq);
    expect((await open().first(key))?.body).toMatchObject({ type: "submitted", spec: '{"image":"a"}' });
  });

  it("keeps tenants apart, and refuses the same task twice", async () => {
    const task = newId(Date.now());
    await open().execute({ tenant: "one", task }, submitCommand());
    expect(await open().execute({ tenant: "one", task }, submitCommand())).toMatchObject({
      code: "TASK_EXISTS",
    });
    expect(await open().load({ tenant: "two", task })).toMatchObject({ state: { status: "absent" } });
  });

  it("keeps of an erased task that it was erased, and no spec", async () => {
    const key = { tenant: "default", task: newId(Date.now()) };
    const { who } = submitCommand();
    await open().execute(key, submitCommand());
    await open().execute(key, command({ kind: "cancel", who, reason: null } as const));
    expect(await open().execute(key, command({ kind: "erase" } as const))).toMatchObject({
      state: { status: "erased" },
    });
    expect(await open().execute(key, submitCommand())).toMatchObject({ code: "TASK_ERASED" });
  });
});
