import { describe, expect, it } from "vitest";
import { askAhead } from "./askLeader.ts";

async function* from(numbers: readonly number[]) {
  yield* numbers;
}

async function answersOf(numbers: readonly number[], ask: (one: number) => Promise<string>, atOnce: number) {
  const answers: string[] = [];
  for await (const { answer } of askAhead(from(numbers), ask, atOnce)) answers.push(answer);
  return answers;
}

describe("asking ahead", () => {
  it("gives the answers in the order of the questions, whichever comes first", async () => {
    const waiting = new Map<number, (answer: string) => void>();
    const ask = (one: number) =>
      new Promise<string>((resolve) => {
        waiting.set(one, resolve);
        // The last one is answered first.
        if (waiting.size === 3) for (const [id, say] of [...waiting].reverse()) say(`a${id}`);
      });
    expect(await answersOf([1, 2, 3], ask, 3)).toEqual(["a1", "a2", "a3"]);
  });

  it("asks no more at once than it may", async () => {
    let open = 0;
    let most = 0;
    const ask = async (one: number) => {
      most = Math.max(most, ++open);
      await new Promise((resolve) => setImmediate(resolve));
      open--;
      return String(one);
    };
    const numbers = Array.from({ length: 50 }, (_, index) => index);
    expect(await answersOf(numbers, ask, 4)).toHaveLength(50);
    expect(most).toBe(4);
  });

  it("ends with a question that failed, after the answers before it", async () => {
    const answers: string[] = [];
    const ask = async (one: number) => {
      if (one > 1) throw new Error(`no answer to ${one}`);
      return String(one);
    };
    const asking = (async () => {
      for await (const { answer } of askAhead(from([1, 2, 3]), ask, 3)) answers.push(answer);
    })();
    await expect(asking).rejects.toThrow("no answer to 2");
    expect(answers).toEqual(["1"]);
  });
});
