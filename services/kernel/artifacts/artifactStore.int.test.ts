import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { subjects } from "../../../streams/subjects.ts";
import { ledgerOnNats, submitCommand } from "../../../test/support/ledgerOnNats.ts";
import { withNats } from "../../../test/support/withNats.ts";
import { newId } from "../ids.ts";
import type { TaskLedger } from "../ledger/taskLedger.ts";
import type { Nats } from "../nats/connectNats.ts";
import { type ArtifactStore, objectName, openArtifactStore } from "./artifactStore.ts";
import { removeArtifactsOf } from "./taskArtifacts.ts";

const server = withNats();
let nats: Nats;
let ledger: TaskLedger;
let store: ArtifactStore;

beforeAll(async () => {
  ({ nats, ledger } = await ledgerOnNats(server));
  store = openArtifactStore(nats);
});
afterAll(() => nats.close());

const MiB = 1024 * 1024;
const wide = { bytesMax: 1024 * MiB, now: Date.now };
const key = { tenant: "default", task: newId(Date.now()) };

async function* pieces(count: number, size: number): AsyncGenerator<Uint8Array> {
  for (let index = 0; index < count; index++) yield Buffer.alloc(size, index % 251);
}

async function readAll(object: { name: string }, offset = 0): Promise<Buffer> {
  const found = await store.find(object.name);
  const read: Uint8Array[] = [];
  for await (const piece of store.read(found!, offset)) read.push(Buffer.from(piece));
  return Buffer.concat(read);
}

describe("the store of artifacts", () => {
  it.each([0, 1, 128 * 1024, 128 * 1024 + 1, 700_001])("gives back a file of %i bytes", async (bytes) => {
    const source = async function* () {
      yield Buffer.alloc(Math.min(bytes, 7), 1);
      yield Buffer.alloc(Math.max(0, bytes - 7), 2);
    };
    const object = await store.put(objectName(key, `size-${bytes}`), source(), wide);
    const back = await readAll(object);
    expect(back.length).toBe(bytes);
    expect(createHash("sha256").update(back).digest("hex")).toBe(object.sha256);
    expect(await readAll(object, 100_000)).toEqual(back.subarray(100_000));
  });

  it("is readable by the client library's own object store, and lists what that knows", async () => {
    const object = await store.put(objectName(key, "compatible"), pieces(3, 100_000), wide);
    const bucket = await nats.js.views.os("artifacts");
    const blob = await bucket.getBlob(object.name);
    expect(createHash("sha256").update(blob!).digest("hex")).toBe(object.sha256);
    expect((await store.list()).find((one) => one.name === object.name)).toMatchObject({ bytes: 300_000 });
  });

  it("holds a file of 100 MB in no more memory than a small one, writing and reading", async () => {
    const before = process.memoryUsage.rss();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, process.memoryUsage.rss());
    }, 20);
    const object = await store.put(objectName(key, "large"), pieces(800, 128 * 1024), wide);
    const hash = createHash("sha256");
    for await (const piece of store.read(object, 0)) hash.update(piece);
    clearInterval(watch);
    expect(hash.digest("hex")).toBe(object.sha256);
    expect((most - before) / MiB).toBeLessThan(64);
  }, 60_000);

  it("keeps nothing of a file that is too large, or whose sender breaks off", async () => {
    const name = objectName(key, "never");
    const bytesMax = MiB;
    await expect(store.put(name, pieces(20, 128 * 1024), { ...wide, bytesMax })).rejects.toMatchObject({
      code: "ARTIFACT_TOO_LARGE",
    });
    const broken = async function* () {
      yield* pieces(4, 128 * 1024);
      throw new Error("gone");
    };
    await expect(store.put(name, broken(), wide)).rejects.toThrow("gone");
    expect(await store.find(name)).toBeNull();
    expect(await store.removeOrphans(Date.now() + 7_200_000)).toBe(0);
  });

  it("removes what an upload left whose process died, once it is old", async () => {
    const kept = await store.put(objectName(key, "kept"), pieces(1, 10), wide);
    await nats.js.publish(subjects.objectChunks({ bucket: "artifacts", nuid: "orphan" }), "abc");
    expect(await store.removeOrphans(Date.now())).toBe(0);
    expect(await store.removeOrphans(Date.now() + 7_200_000)).toBe(1);
    expect(await readAll(kept)).toHaveLength(10);
  });

  it("loses an erased task's files, and its neighbours keep theirs", async () => {
    const mine = { tenant: "default", task: newId(Date.now()) };
    await ledger.execute(mine, submitCommand());
    await ledger.execute(mine, { kind: "schedule", node: "n1", at: Date.now(), id: newId(Date.now()) });
    const { state } = await ledger.load(mine);
    const fence = "fence" in state ? state.fence! : "";
    const at = Date.now();
    await ledger.execute(mine, { kind: "grant", node: "n1", fence, attempt: 1, at, id: newId(at) });
    const id = newId(at);
    const object = await store.put(objectName(mine, id), pieces(2, 1000), wide);
    const artifact = {
      name: "a",
      bytes: 2000,
      sha256: object.sha256,
      media_type: "text/plain",
      expires_at: at,
    };
    const limits = { files: 1, bytes: 5000 };
    const of = { fence, attempt: 1, artifact, hosted: null, storedByAttempt: 0, limits };
    await ledger.execute(mine, { kind: "store_artifact", at, id, ...of });
    const other = await store.put(objectName(key, "other"), pieces(1, 10), wide);
    for (const _twice of [1, 2]) await removeArtifactsOf(nats, mine);
    expect(await store.find(object.name)).toBeNull();
    expect(await store.find(other.name)).not.toBeNull();
  });
});
