import type { ObservedAttempt } from "../../schemas/messages/node.ts";
import type { AttemptRecord } from "./attempt/attemptRecord.ts";
import { heldPerBeatMax } from "./limits.ts";

/** The attempts that this agent is busy with or holds, by fence, oldest first. */
export class AttemptTable {
  readonly #busy = new Map<string, AttemptRecord>();
  readonly #held = new Map<string, AttemptRecord>();

  get(fence: string): AttemptRecord | undefined {
    return this.#busy.get(fence) ?? this.#held.get(fence);
  }

  /** It takes a slot from now on. */
  add(record: AttemptRecord): void {
    this.#busy.set(record.ref.fence, record);
  }

  /** It has ended and is reported: its slot is free, it only waits to be settled. */
  hold(record: AttemptRecord): void {
    this.#busy.delete(record.ref.fence);
    this.#held.set(record.ref.fence, record);
  }

  delete(fence: string): void {
    this.#busy.delete(fence);
    this.#held.delete(fence);
  }

  get busyCount(): number {
    return this.#busy.size;
  }

  get heldCount(): number {
    return this.#held.size;
  }

  busy(): readonly AttemptRecord[] {
    return [...this.#busy.values()];
  }

  all(): readonly AttemptRecord[] {
    return [...this.#busy.values(), ...this.#held.values()];
  }

  /** For a beat: everything granted, and as many of the held ones, oldest first, as one beat takes. */
  observed(): ObservedAttempt[] {
    const list: ObservedAttempt[] = [];
    for (const { ref, state } of this.#busy.values()) if (state !== "asking") list.push({ ...ref, state });
    let left = heldPerBeatMax;
    for (const { ref } of this.#held.values()) {
      if (left-- === 0) break;
      list.push({ ...ref, state: "held" });
    }
    return list;
  }
}
