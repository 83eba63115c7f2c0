import type { DeadLetter } from "../../kernel/deadLetters/deadLetter.ts";
import type { DeadLetters } from "../../kernel/deadLetters/deadLetters.ts";

/** Dead letters in memory, for tests of the API alone. */
export function memoryDeadLetters(...letters: DeadLetter[]): DeadLetters {
  const find = (seq: number) => letters.findIndex((one) => one.seq === seq);
  return {
    list: async ({ after, max, isFor }) => {
      const all = letters.filter((one) => one.seq > after && isFor(one));
      const shown = all.slice(0, max);
      return { letters: shown, next: all.length > max ? shown.at(-1)!.seq : null };
    },
    find: async (seq) => letters[find(seq)] ?? null,
    findSink: async ({ task, sink }) =>
      letters.findLast((one) => one.task === task && one.sink === sink) ?? null,
    drop: async (seq) => void letters.splice(find(seq), 1),
    resend: async (letter) => {
      const at = find(letter.seq);
      if (at < 0) return false;
      letters[at] = { ...letter, seq: letter.seq + 100, resending: true };
      return true;
    },
    putSink: async () => undefined,
  };
}
