import { createWriteStream } from "node:fs";
import { describe, expect, it } from "vitest";
import { createOutput } from "./output.ts";

describe("output to a full disk", () => {
  it("fails what is data, and drops what is only told", async () => {
    const full = () => createWriteStream("/dev/full");
    const output = createOutput({ stdout: full(), stderr: full() });
    await expect(output.message("it goes on")).resolves.toBeUndefined();
    await expect(output.data("a line of a task\n")).rejects.toThrow("ENOSPC");
  });
});
