import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { type TarEntry, tarArchive } from "./tarArchive.ts";

const entries: TarEntry[] = [
  { name: "bin/", kind: "folder", mode: 0o755 },
  { name: "bin/sh", kind: "symlink", target: "busybox" },
  { name: "bin/busybox", kind: "file", mode: 0o755, content: Buffer.alloc(700, 1) },
  { name: "empty", kind: "file", mode: 0o644, content: Buffer.alloc(0) },
];

describe("the tar writer", () => {
  it("writes what the system's tar reads", () => {
    const listing = execFileSync("tar", ["--utc", "--numeric-owner", "-tvf", "-"], {
      input: tarArchive(entries),
    });
    expect(listing.toString().trimEnd().split("\n")).toEqual([
      "drwxr-xr-x 0/0               0 1970-01-01 00:00 bin/",
      "-rwxr-xr-x 0/0             700 1970-01-01 00:00 bin/busybox",
      "lrwxrwxrwx 0/0               0 1970-01-01 00:00 bin/sh -> busybox",
      "-rw-r--r-- 0/0               0 1970-01-01 00:00 empty",
    ]);
  });

  it("gives the same bytes whatever the order of its input", () => {
    expect(tarArchive([...entries].reverse())).toEqual(tarArchive(entries));
  });

  it("refuses a name that its header cannot hold", () => {
    const long = "n".repeat(101);
    expect(() => tarArchive([{ name: long, kind: "folder", mode: 0o755 }])).toThrow(RangeError);
  });
});
