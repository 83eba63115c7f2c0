import { describe, expect, it } from "vitest";
import { HostedFiles } from "./hostedFiles.ts";

const object = (name: string, bytes: number) => ({ name, bytes, nuid: "n", sha256: "", stored_at: 0 });

describe("files that are hosted", () => {
  it("are counted by tenant from all that there are, and what is stored meanwhile until the next look", () => {
    const hosted = new HostedFiles();
    expect([hosted.inAll(), hosted.bytesOf("acme")]).toEqual([null, 0]);
    hosted.look([object("acme/t1/e1", 5), object("acme/t2/e2", 6), object("other/t3/e3", 7), object("x", 9)]);
    expect([hosted.bytesOf("acme"), hosted.bytesOf("other"), hosted.bytesOf("x")]).toEqual([11, 7, 0]);
    hosted.stored("acme", 100);
    expect([hosted.bytesOf("acme"), hosted.inAll()]).toEqual([111, { files: 4, bytes: 118 }]);
    hosted.look([object("other/t3/e3", 7)]);
    expect([hosted.bytesOf("acme"), hosted.inAll()]).toEqual([0, { files: 1, bytes: 7 }]);
  });
});
