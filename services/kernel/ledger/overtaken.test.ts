import { describe, expect, it } from "vitest";
import { bodies, ledgerHistory } from "../../../test/support/ledgerHistory.ts";
import { type Placed, SubjectOrder, whatCameOf } from "./overtaken.ts";

const message = (seq: number, expected: number | null, subject = "ledger.default.task.a"): Placed => ({
  subject,
  seq,
  expected,
});
async function counted(messages: readonly Placed[], ask = async (_one: Placed) => false) {
  const order = new SubjectOrder(ask);
  const kept: number[] = [];
  for (const one of messages) if (await order.counts(one)) kept.push(one.seq);
  return kept;
}

describe("of messages that expect the same place", () => {
  it("the first counts, whoever else was stored as well", async () => {
    expect(
      await counted([message(1, 0), message(4, 1), message(6, 1), message(7, 4), message(8, 1)]),
    ).toEqual([1, 4, 7]);
  });

  it("another subject's are no matter", async () => {
    const other = "ledger.default.task.b";
    expect(await counted([message(1, 0), message(2, 0, other), message(3, 1), message(4, 2, other)])).toEqual(
      [1, 2, 3, 4],
    );
  });

  it("the server is asked about a subject that was not read from its start", async () => {
    const asked: number[] = [];
    const ask = async ({ seq }: Placed) => {
      asked.push(seq);
      return seq === 9;
    };
    expect(await counted([message(9, 5), message(10, 5), message(12, 10)], ask)).toEqual([10, 12]);
    expect(asked).toEqual([9, 10]);
  });

  it("one that expected nothing counts, and what follows builds on it", async () => {
    expect(await counted([message(1, null), message(2, 1), message(3, 1)])).toEqual([1, 2]);
  });
});

describe("an append that a cluster acknowledged", () => {
  const [own, other] = ledgerHistory().append("a", bodies.submitted()).append("b", bodies.submitted()).events;
  const append = { eventId: own!.event.id };
  const at = (seq: number, { bytes }: { readonly bytes: Uint8Array }) => ({ seq, data: bytes });

  it.each([
    ["counts where the leader has it as the first after what it expected", at(7, own!), "counts"],
    ["is overtaken where another came before it", at(6, other!), "overtaken"],
    ["has vanished where the leader has another's event at that place", at(7, other!), "vanished"],
    ["has vanished where only later ones are left", at(9, other!), "vanished"],
    ["has vanished where there is none", null, "vanished"],
  ])("%s", (_title, first, told) => {
    expect(whatCameOf(append, 7, first)).toBe(told);
  });
});
