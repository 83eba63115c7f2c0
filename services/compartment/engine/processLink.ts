/**
 * A guest in a process of its own. The memory of a thread is the memory of the whole process; only a process can be
 * ended for what it takes, and an engine that crashes takes nothing else with it.
 */
import { fork } from "node:child_process";
import { once } from "node:events";
import { baselineArguments, hostPath } from "./engineModule.ts";
import { deathOf, type GuestLink } from "./guestLink.ts";
import type { GuestEnd } from "./guestThread.ts";

/** Between two looks at its memory. What the engine may take in between is bounded by `max_heap_mb`. */
export const RSS_POLL_MS = 10;

/** @param of.program what runs in the process; the engine's host unless given */
export function linkProcess(of: { readonly rssBytesMax: number; readonly program?: string }): GuestLink {
  const { rssBytesMax, program = hostPath } = of;
  const child = fork(program, [String(RSS_POLL_MS)], {
    execArgv: baselineArguments,
    env: {},
    serialization: "advanced",
    stdio: ["ignore", "ignore", "ignore", "ipc"],
  });
  const exited = once(child, "exit").catch(() => {});
  let rssMax = 0;
  const send = (message: unknown[]) => {
    // One that is gone is told of by its exit.
    if (child.connected) child.send(message, () => {});
  };
  return {
    listen({ onQuestion, onDeath }) {
      const fault: GuestEnd = { reason: "engine_fault" };
      child.on("error", () => onDeath(fault));
      child.on("exit", () => onDeath(fault));
      child.on("message", (message) => {
        const [kind, value, ranMs] = message as [string, unknown, number];
        if (kind === "question") onQuestion(value as unknown[], { ranMs });
        else if (kind === "death") onDeath(deathOf(value));
        else {
          rssMax = Math.max(rssMax, value as number);
          if (rssMax <= rssBytesMax) return;
          child.kill("SIGKILL");
          onDeath({ reason: "memory_rss_exceeded" });
        }
      });
      child.unref();
      child.channel!.unref();
    },
    giveEngine: ({ wasmBytes, preludeText }, heapBytesMax) =>
      send(["engine", { wasmBytes, preludeText, heapBytesMax }]),
    answer: (value) => send(["answer", value]),
    ref() {
      child.ref();
      child.channel?.ref();
    },
    rssBytes: () => rssMax,
    async end() {
      child.kill("SIGKILL");
      await exited;
    },
  };
}
