import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { withNats } from "../../../test/support/withNats.ts";
import { connectNats } from "./connectNats.ts";

const server = withNats();
const stranger = withNats();
const folder = mkdtempSync(join(tmpdir(), "cazi-creds-"));
afterAll(() => rmSync(folder, { recursive: true }));

const connect = (credsFile: string) => {
  const told: string[] = [];
  const onWaiting = (text: string) => void told.push(text);
  return connectNats({ url: server.url, credsFile, name: "test", firstWaitMs: 300, onWaiting }).then(
    (nats) => nats.close().then(() => "connected"),
    (error) => ({ code: error.code, told }),
  );
};

describe("connecting to NATS", () => {
  it("names a credentials file that cannot be read, or holds none, at once", async () => {
    const empty = join(folder, "empty.creds");
    writeFileSync(empty, "");
    for (const file of [join(folder, "missing.creds"), folder, empty]) {
      expect(await connect(file)).toEqual({ code: "NATS_CREDS_UNREADABLE", told: [] });
    }
  });

  it("says that the server refuses the credentials, not that there is none", async () => {
    expect(await connect(stranger.credsFile)).toMatchObject({ code: "NATS_REFUSED" });
    expect(await connect(server.credsFile)).toBe("connected");
  });
});
