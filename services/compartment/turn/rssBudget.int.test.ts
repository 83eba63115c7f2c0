/** The bound on a process's memory to the byte, beside a process that says what it has. */
import { join } from "node:path";
import { expect, it } from "vitest";
import { waitFor } from "../../../test/support/waitFor.ts";
import type { EngineCode } from "../engine/engineModule.ts";
import { linkProcess } from "../engine/processLink.ts";

const program = join(import.meta.dirname, "../testing/tellsItsMemory.mjs");

it("leaves a process alone that has exactly what it may have, and ends it with one byte more", async () => {
  const rssBytesMax = 96 * 1024 * 1024;
  const link = linkProcess({ rssBytesMax, program });
  const deaths: unknown[] = [];
  link.listen({ onQuestion: () => undefined, onDeath: ({ reason }) => deaths.push(reason) });
  const hasBytes = (bytes: number) =>
    link.giveEngine({ wasmBytes: new Uint8Array(), preludeText: "" } as unknown as EngineCode, bytes);
  try {
    hasBytes(rssBytesMax);
    await waitFor("a look at it", () => link.rssBytes() === rssBytesMax);
    expect(deaths).toEqual([]);
    // That it still answers is the proof that it lives.
    hasBytes(rssBytesMax + 1);
    await waitFor("its exit", () => deaths.length === 2);
    expect([link.rssBytes(), ...deaths]).toEqual([rssBytesMax + 1, "memory_rss_exceeded", "engine_fault"]);
  } finally {
    await link.end();
  }
});
