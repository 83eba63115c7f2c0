import { type JetStreamManager, NatsError, type StoredMsg } from "nats";
import { describe, expect, it } from "vitest";
import { askAhead, askLeader } from "./askLeader.ts";

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

/** A leader that holds `held` of `last` sequences at the time of each question; the last of them from then on. */
function leaderOf(...views: readonly { readonly held: readonly number[]; readonly last: number }[]) {
  let asked = 0;
  const view = () => views[Math.min(asked++, views.length - 1)]!;
  const none = Object.assign(new NatsError("no message found", "404"), {
    api_error: { code: 404, err_code: 10037, description: "no message found" },
  });
  const getMessage = async (_: string, { seq, ...of }: { seq: number; next_by_subj?: string }) => {
    const found = view().held.find((one) => ("next_by_subj" in of ? one >= seq : one === seq));
    if (found === undefined) throw none;
    return { seq: found, subject: "s", data: new Uint8Array() } as StoredMsg;
  };
  const info = async () => ({ state: { last_seq: view().last } });
  const jsm = { streams: { getMessage, info } } as unknown as JetStreamManager;
  const pauses: number[] = [];
  return {
    pauses,
    ask: (seq: number) => askLeader(jsm, "S", seq, async (ms) => void pauses.push(ms)),
  };
}

describe("asking the leader about a message that was delivered", () => {
  it("is told of a deletion at once where it holds a later one", async () => {
    const leader = leaderOf({ held: [1, 2, 4], last: 4 });
    expect(await leader.ask(3)).toBeNull();
    expect(leader.pauses).toEqual([]);
  });

  it("gives the message when a leader has come that far between two questions", async () => {
    const before = { held: [1, 2], last: 2 };
    const after = { held: [1, 2, 3, 4], last: 4 };
    expect(await leaderOf(before, after).ask(3)).toMatchObject({ seq: 3 });
  });

  it("gives it also when only its own count says that it has come that far", async () => {
    const before = { held: [1, 2], last: 2 };
    const after = { held: [1, 2, 3], last: 3 };
    const leader = leaderOf(before, before, after);
    expect(await leader.ask(3)).toMatchObject({ seq: 3 });
    expect(leader.pauses).toHaveLength(1);
  });

  it("takes the last message for deleted once that was said three times", async () => {
    const leader = leaderOf({ held: [1, 2], last: 3 });
    expect(await leader.ask(3)).toBeNull();
    expect(leader.pauses).toHaveLength(2);
  });

  it("does not know where the leader ends before it", async () => {
    await expect(leaderOf({ held: [1, 2], last: 2 }).ask(3)).rejects.toThrow("whose leader ends at 2");
  });
});
