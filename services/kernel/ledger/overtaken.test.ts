import { describe, expect, it } from "vitest";
import { type Placed, SubjectOrder } from "./overtaken.ts";

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
