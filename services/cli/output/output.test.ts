import { createWriteStream } from "node:fs";
import { PassThrough } from "node:stream";
import { describe, expect, it } from "vitest";
import { createOutput } from "./output.ts";
import { printEntries } from "./printEntries.ts";

describe("output to a full disk", () => {
  it("fails what is data, and drops what is only told", async () => {
    const full = () => createWriteStream("/dev/full");
    const output = createOutput({ stdout: full(), stderr: full() });
    await expect(output.message("it goes on")).resolves.toBeUndefined();
    await expect(output.data("a line of a task\n")).rejects.toThrow("ENOSPC");
  });
});

describe("a task's output", () => {
  it("is its bytes, and on stderr what of them is missing and why", async () => {
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const entry = { attempt: 1, stream: "stdout", time: "2026-01-01T00:00:00.000Z", text: "" } as const;
    const none = { ...entry, ending: "end", position: "1.0.0" } as const;
    await printEntries(createOutput({ stdout, stderr }), [
      { ...entry, position: "1.2.0", type: "line", text: "a", ending: "newline", dropped_bytes: 0 },
      { ...none, type: "gap", dropped_bytes: 6 },
      { ...none, type: "truncated", dropped_bytes: 100 },
    ]);
    expect(String(stdout.read())).toBe("a\n");
    const said = String(stderr.read());
    expect(said).toContain("6 bytes of stdout are missing here");
    expect(said).toContain("100 bytes of stdout were not kept");
  });
});
