/**
 * Threads that were started before they are needed, each for one turn: a thread takes most of the time of a short turn
 * to come up. None is ever used twice, and one that waits does not keep the process alive.
 */
import { loadEngine } from "./engineModule.ts";
import { type Guest, startGuestProcess, startGuestThread } from "./guestThread.ts";

export interface GuestPool {
  /** Starts a thread now. Without a number it waits to be told its memory when it is taken. */
  warm(heapMbMax?: number): void;
  /** A guest for one turn: a thread that waits if there is one, or a process where its memory is limited. */
  take(of: { readonly heapMbMax: number; readonly rssMbMax: number | null }): Guest;
  /** Ends the threads that wait. */
  close(): Promise<void>;
}

interface Waiting {
  readonly guest: Guest;
  /** Null: it is told when it is taken. */
  readonly heapMbMax: number | null;
  readonly tellHeap: (heapMbMax: number) => void;
}

/** @param of.ahead threads that are kept ready after one was taken; 0 in a process of a single turn */
export function createGuestPool({ ahead }: { readonly ahead: number }): GuestPool {
  const waiting: Waiting[] = [];
  const start = (heapMbMax: number | null): Waiting => {
    let tellHeap: (heapMbMax: number) => void = () => {};
    const told = new Promise<number>((resolve) => {
      tellHeap = resolve;
    });
    if (heapMbMax !== null) tellHeap(heapMbMax);
    return { guest: startGuestThread({ engine: loadEngine(), heapMbMax: told }), heapMbMax, tellHeap };
  };
  return {
    warm: (heapMbMax) => void waiting.push(start(heapMbMax ?? null)),
    take({ heapMbMax, rssMbMax }) {
      if (rssMbMax !== null) {
        return startGuestProcess({ engine: loadEngine(), heapMbMax: Promise.resolve(heapMbMax) }, rssMbMax);
      }
      for (const dead of waiting.filter(({ guest }) => guest.failed))
        waiting.splice(waiting.indexOf(dead), 1);
      const at = waiting.findIndex((one) => one.heapMbMax === null || one.heapMbMax === heapMbMax);
      const [taken] = at === -1 ? [start(heapMbMax)] : waiting.splice(at, 1);
      taken!.tellHeap(heapMbMax);
      // The engine is made with its memory: the next turn is taken to be like this one.
      while (waiting.length < ahead) waiting.push(start(heapMbMax));
      return taken!.guest;
    },
    async close() {
      await Promise.all(waiting.splice(0).map(({ guest }) => guest.discard()));
    },
  };
}
