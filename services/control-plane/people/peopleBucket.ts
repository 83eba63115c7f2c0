import { type KV, type KvEntry, StringCodec } from "nats";
import { isName } from "../../../streams/subjects.ts";
import { Retryable } from "../../kernel/errors.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { PeopleDirectory } from "./directory.ts";
import { keyOf, merged, type PersonRecord, personRecord, type TokenRecord, tokenKey } from "./records.ts";

/** The bucket `tokens`: every replica's directory follows it, and whoever changes somebody writes it. */
export interface PeopleBucket {
  /** Writes what is newer than what is there, and merges what is not. @throws Retryable `TOKENS_UNREACHABLE` */
  put(record: PersonRecord): Promise<void>;
  /** A token that the directory has not heard of yet. @throws Retryable `TOKENS_UNREACHABLE` */
  find(hash: string): Promise<TokenRecord | null>;
  remove(key: string): Promise<void>;
  stop(): void;
}

/** Somebody else was faster this many times in a row: more is not contention but a fault. */
const CONFLICTS_MAX = 20;
const codec = StringCodec();

/** Resolves when the directory knows what the bucket holds. */
export async function openPeopleBucket(ports: {
  readonly nats: Nats;
  readonly log: Log;
  readonly directory: PeopleDirectory;
}): Promise<PeopleBucket> {
  const { nats, log, directory } = ports;
  const kv = await nats.js.views.kv("tokens");
  const heard = (entry: KvEntry) => {
    if (entry.operation !== "PUT") return directory.forget(entry.key);
    const read = recordOf(entry);
    if (read === null) log.warn({ key: entry.key }, "a record of the bucket `tokens` cannot be read");
    else directory.hear(read);
  };
  const stop = await watch(kv, heard, (error) => log.error({ error }, "watching the bucket `tokens` ended"));

  async function put(record: PersonRecord): Promise<void> {
    const key = keyOf(record);
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      const there = await kv.get(key);
      const known = there === null || there.operation !== "PUT" ? null : recordOf(there);
      const next = known === null ? record : merged(known, record);
      const text = JSON.stringify(next);
      if (known === null || text !== JSON.stringify(known)) {
        const wrote = await write(kv, { key, text, revision: there?.revision ?? 0 });
        if (!wrote) continue;
      }
      directory.hear(next);
      return;
    }
    throw new Error(`the record ${key} kept changing`);
  }

  return {
    put: (record) => reached(() => put(record)),
    find: (hash) =>
      reached(async () => {
        const there = await kv.get(tokenKey(hash));
        const found = there === null || there.operation !== "PUT" ? null : recordOf(there);
        return found?.record === "token" ? (directory.hear(found) as TokenRecord) : null;
      }),
    remove: (key) =>
      reached(async () => {
        await kv.delete(key);
        directory.forget(key);
      }),
    stop,
  };
}

/** @returns false when somebody else wrote first */
async function write(
  kv: KV,
  to: { readonly key: string; readonly text: string; readonly revision: number },
): Promise<boolean> {
  try {
    await kv.put(to.key, codec.encode(to.text), { previousSeq: to.revision });
    return true;
  } catch (error) {
    const apiCode = (error as { api_error?: { err_code?: number } }).api_error?.err_code;
    if (apiCode === 10071 || apiCode === 10164) return false;
    throw error;
  }
}

/** Null for what is no record, or one of another key. */
function recordOf(entry: KvEntry): PersonRecord | null {
  const read = personRecord.safeParse(jsonOf(entry));
  if (!read.success || !isName(read.data.tenant)) return null;
  return keyOf(read.data) === entry.key ? read.data : null;
}

function jsonOf(entry: KvEntry): unknown {
  try {
    return entry.json();
  } catch {
    return null;
  }
}

async function reached<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw tokensUnreachable(error);
  }
}

/** What a token is worth cannot be told now. */
export function tokensUnreachable(cause?: unknown): Retryable {
  return new Retryable(
    "TOKENS_UNREACHABLE",
    "Who the token speaks for cannot be told: NATS does not answer.",
    {
      hint: "Send the request again in a moment.",
      cause,
    },
  );
}

/** @returns how to stop, once all present entries were given */
async function watch(
  kv: KV,
  onEntry: (entry: KvEntry) => void,
  onEnd: (error: unknown) => void,
): Promise<() => void> {
  return await new Promise((resolve, reject) => {
    let stop: () => void = () => undefined;
    const initializedFn = () => resolve(() => stop());
    kv.watch({ initializedFn })
      .then(async (entries) => {
        stop = () => entries.stop();
        for await (const entry of entries) onEntry(entry);
      })
      .catch((error) => {
        onEnd(error);
        reject(error);
      });
  });
}
