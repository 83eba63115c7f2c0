import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { smallDisk } from "../../test/support/smallDisk.ts";
import { openMarkerFiles } from "./markerFiles.ts";

const disk = smallDisk(4);
afterAll(() => disk.remove());

it("a look for room for a marker fails on a full disk, passes once there is some, and leaves nothing", async () => {
  const folder = join(disk.path, "markers");
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  const markers = await openMarkerFiles(folder, log);
  await markers.probe();
  disk.fill();
  await expect(markers.probe()).rejects.toMatchObject({ code: "ENOSPC" });
  disk.free();
  await markers.probe();
  expect([readdirSync(folder), await markers.list()]).toEqual([[], []]);
});
