import { describe, expect, it } from "vitest";
import { parseMemorySize } from "./memorySize.ts";

describe("parseMemorySize", () => {
  it.each([
    ["512Mi", 512 * 1024 ** 2],
    ["512MiB", 512 * 1024 ** 2],
    ["512m", 512 * 1024 ** 2],
    ["512 MB", 512 * 1024 ** 2],
    ["1g", 1024 ** 3],
    ["1.5Gi", 1.5 * 1024 ** 3],
    ["64k", 65_536],
    ["2T", 2 * 1024 ** 4],
    ["1048576", 1_048_576],
    ["10b", 10],
    [7, 7],
  ])("reads %s as %d bytes", (given, bytes) => {
    expect(parseMemorySize(given)).toBe(bytes);
  });

  it.each([
    "",
    " 1g",
    "1g ",
    "-1g",
    "+1",
    "1e3",
    "0x10",
    "1gg",
    "Mi",
    "1.g",
    ".5g",
    "1,5g",
    "1iB",
    "0.3b",
    "99999999t",
    "1\n",
  ])("refuses the text %j", (given) => {
    expect(parseMemorySize(given)).toMatchObject({ code: "MEMORY_SIZE_INVALID" });
  });

  it.each([-1, 0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])("refuses the number %d", (given) => {
    expect(parseMemorySize(given)).toMatchObject({ code: "MEMORY_SIZE_INVALID" });
  });
});
