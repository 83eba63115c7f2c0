import { createHash } from "node:crypto";
import type { ArtifactStore, StoredObject } from "../../kernel/artifacts/artifactStore.ts";
import { ArtifactRecords } from "../artifacts/artifactRecords.ts";
import type { ReadPorts } from "../artifacts/readArtifact.ts";
import type { MemoryLedger } from "./memoryLedger.ts";

/** Artifacts of a ledger in memory. */
export function memoryArtifacts(ledger: MemoryLedger): ReadPorts {
  const history = async function* (key: { tenant: string; task: string }, { after }: { after: number }) {
    for (const event of ledger.events) {
      const isOfTask = event.tenant === key.tenant && event.task === key.task;
      if (isOfTask && event.seq > after) yield { seq: event.seq, event };
    }
  };
  const clock = { now: () => Date.now(), monotonicMs: () => performance.now() };
  return { records: new ArtifactRecords({ ledger, history }), store: memoryStore(), clock };
}

function memoryStore(): ArtifactStore {
  const objects = new Map<string, { object: StoredObject; bytes: Buffer }>();
  return {
    put: async (name, source, { now }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of source) pieces.push(piece);
      const bytes = Buffer.concat(pieces);
      const sha256 = createHash("sha256").update(bytes).digest("hex");
      const object = { name, nuid: name, bytes: bytes.length, sha256, stored_at: now() };
      objects.set(name, { object, bytes });
      return object;
    },
    find: async (name) => objects.get(name)?.object ?? null,
    read: async function* ({ name }, offset) {
      yield objects.get(name)!.bytes.subarray(offset);
    },
    remove: async (name) => void objects.delete(name),
    list: async () => [...objects.values()].map(({ object }) => object),
    removeOrphans: async () => 0,
  };
}
