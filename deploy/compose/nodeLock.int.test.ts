import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { smallDisk } from "../../test/support/smallDisk.ts";
import { lockNode } from "./nodeLock.ts";

const disk = smallDisk(4);
afterAll(() => disk.remove());

it("lets one agent a node use a home, another node's beside it, and the next one after it", () => {
  const first = lockNode(disk.path, "a");
  expect(() => lockNode(disk.path, "a")).toThrow(
    expect.objectContaining({ code: "HOME_IN_USE", message: expect.stringContaining(String(process.pid)) }),
  );
  lockNode(disk.path, "b").release();
  first.release();
  lockNode(disk.path, "a").release();
});

it("is not in the way of an agent on a full disk, and leaves nothing there", () => {
  const folder = join(disk.path, "node/full");
  mkdirSync(folder, { recursive: true });
  disk.fill();
  lockNode(disk.path, "full").release();
  expect(readdirSync(folder)).toEqual([]);
});
