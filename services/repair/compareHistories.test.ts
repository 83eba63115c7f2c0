import { describe, expect, it } from "vitest";
import { type CopiedEvent, compareHistories, type HeldEvent } from "./compareHistories.ts";
import { inOrder } from "./historyToWrite.ts";

const held = (seq: number, text = `e${seq}`, subject = "s"): HeldEvent => ({
  seq,
  subject,
  bytes: Buffer.from(text),
});
const copied = (seq: number, text?: string): CopiedEvent => ({ ...held(seq, text), eventId: `e${seq}` });

async function* inBatches<E>(events: readonly E[], size = 2): AsyncGenerator<readonly E[]> {
  for (let at = 0; at < events.length; at += size) yield events.slice(at, at + size);
}

async function compare(copy: readonly CopiedEvent[], ledger: readonly HeldEvent[], copyEnd: number) {
  const differences: string[] = [];
  const eventIdOf = (bytes: Uint8Array) =>
    bytes[0] === 0x65 ? Buffer.from(bytes).toString().split(" ")[0]! : null;
  const counts = await compareHistories(
    { copy: inBatches(copy), ledger: inBatches(ledger, 3), copyEnd, eventIdOf },
    ({ kind, seq }) => void differences.push(`${kind} ${seq}`),
  );
  return { ...counts, differences };
}

describe("two histories side by side", () => {
  it("are the same when every byte is", async () => {
    const copy = [1, 2, 3, 5].map((seq) => copied(seq));
    const ledger = [1, 2, 3, 5, 6].map((seq) => held(seq));
    expect(await compare(copy, ledger, 5)).toEqual({ copies: 4, same: 4, beyond: 1, differences: [] });
  });

  it("differ in what is missing at the beginning, in the middle and at the end", async () => {
    const copy = [1, 2, 3, 4, 5].map((seq) => copied(seq));
    const { differences } = await compare(copy, [held(2), held(4)], 5);
    expect(differences).toEqual(["missing 1", "missing 3", "missing 5"]);
    expect((await compare(copy, [], 5)).differences).toHaveLength(5);
  });

  it("tell the same event with other bytes from another event, and both from what only the ledger has", async () => {
    const copy = [copied(1), copied(2), copied(3), copied(5)];
    const ledger = [
      held(1, "e1 flipped"),
      held(2, "e9"),
      held(3, "no event"),
      held(4),
      held(5, "e5", "other"),
    ];
    const { differences } = await compare(copy, ledger, 5);
    expect(differences).toEqual(["altered 1", "replaced 2", "altered 3", "uncopied 4", "altered 5"]);
  });

  it("become one in order", async () => {
    const events: number[] = [];
    const [a, b] = [
      [1, 2, 5, 9, 10],
      [3, 4, 6, 11, 12, 13],
    ].map((part) => inBatches(part.map((seq) => held(seq))));
    for await (const batch of inOrder(a!, b!)) events.push(...batch.map((one) => one.seq));
    expect(events).toEqual([1, 2, 3, 4, 5, 6, 9, 10, 11, 12, 13]);
  });
});
