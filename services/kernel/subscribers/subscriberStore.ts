import type { KV } from "nats";
import { type SubscriberEntry, subscriberEntry } from "../../../schemas/messages/subscriber.ts";
import { subscriberConsumer } from "../../../streams/consumers.ts";
import { ensureConsumer } from "../../../streams/ensure.ts";
import { subscriberDurable } from "../../../streams/subjects.ts";
import type { Clock } from "../clock.ts";
import { Rejection } from "../errors.ts";
import type { Nats } from "../nats/connectNats.ts";
import { asNatsError, isWrongSequence } from "../nats/natsError.ts";

export interface SubscriberKey {
  readonly tenant: string;
  readonly name: string;
}

/** A subscriber and how far it is; `place` is null where it has no consumer. */
export interface StoredSubscriber extends SubscriberKey, SubscriberEntry {
  readonly stream: string;
  readonly consumer: string;
  readonly place: { readonly waiting: number; readonly unacknowledged: number } | null;
}

/** All throw Retryable `NATS_UNAVAILABLE`. */
export interface SubscriberStore {
  /** By name. */
  list(tenant: string): Promise<readonly StoredSubscriber[]>;
  get(key: SubscriberKey): Promise<StoredSubscriber | null>;
  /**
   * Gives it an account and its consumer; a new one begins with all that the feed has.
   * @param to.replaces the account that it has now, null for none
   * @throws Rejection `SUBSCRIBER_EXISTS` where it has another
   */
  put(
    key: SubscriberKey,
    to: { readonly account: string; readonly replaces: string | null; readonly by: string },
  ): Promise<StoredSubscriber>;
  /** With its place in the feed. @returns what it was; null where there is none */
  remove(key: SubscriberKey): Promise<StoredSubscriber | null>;
  /** Of a tenant that was removed: none of them reads anything any more. Their entries stay. */
  endAll(tenant: string): Promise<void>;
  /** Makes consumers that are missing, as after a feed that was made anew. */
  ensureAll(): Promise<void>;
}

/** @param ports.kv the bucket `subscribers` */
export function createSubscriberStore(ports: {
  readonly nats: Pick<Nats, "jsm">;
  readonly kv: KV | Promise<KV>;
  readonly clock: Clock;
}): SubscriberStore {
  const { nats, clock } = ports;
  const keyOf = ({ tenant, name }: SubscriberKey) => `${tenant}.${name}`;
  const consumerOf = (key: SubscriberKey) =>
    subscriberConsumer({ durable: subscriberDurable(key), tenant: key.tenant });

  async function read(key: SubscriberKey) {
    const found = await (await ports.kv).get(keyOf(key));
    const entry = found?.operation === "PUT" ? subscriberEntry.parse(found.json()) : null;
    return { entry, revision: found?.revision ?? 0 };
  }

  async function shown(key: SubscriberKey, entry: SubscriberEntry): Promise<StoredSubscriber> {
    const { stream, durable } = consumerOf(key);
    const place = await nats.jsm.consumers.info(stream, durable).then(
      ({ num_pending, num_ack_pending }) => ({ waiting: num_pending, unacknowledged: num_ack_pending }),
      (error) => (isMissing(error) ? null : Promise.reject(error)),
    );
    return { ...key, ...entry, stream, consumer: durable, place };
  }

  async function dropConsumer(key: SubscriberKey): Promise<void> {
    const { stream, durable } = consumerOf(key);
    await nats.jsm.consumers.delete(stream, durable).catch((error) => {
      if (!isMissing(error)) throw error;
    });
  }

  async function keysOf(filter: string): Promise<readonly SubscriberKey[]> {
    const found: SubscriberKey[] = [];
    for await (const stored of await (await ports.kv).keys(filter)) {
      const at = stored.indexOf(".");
      found.push({ tenant: stored.slice(0, at), name: stored.slice(at + 1) });
    }
    return found.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  return {
    list: (tenant) =>
      answered(async () => {
        const found: StoredSubscriber[] = [];
        for (const key of await keysOf(`${tenant}.*`)) {
          const { entry } = await read(key);
          if (entry !== null) found.push(await shown(key, entry));
        }
        return found;
      }),
    get: (key) =>
      answered(async () => {
        const { entry } = await read(key);
        return entry === null ? null : shown(key, entry);
      }),
    put: (key, { account, replaces, by }) =>
      answered(async () => {
        const { entry: before, revision } = await read(key);
        if ((before?.account ?? null) !== replaces && before?.account !== account) throw exists(key.name);
        const at = clock.now();
        const born = { created_at: before?.created_at ?? at, created_by: before?.created_by ?? by };
        const entry = { account, ...born, changed_at: at, changed_by: by, ended_at: null };
        await (await ports.kv)
          .put(keyOf(key), JSON.stringify(entry), { previousSeq: revision })
          .catch((error) => {
            throw isWrongSequence(error) ? exists(key.name) : error;
          });
        await ensureConsumer(nats.jsm, consumerOf(key));
        return shown(key, entry);
      }),
    remove: (key) =>
      answered(async () => {
        const { entry } = await read(key);
        if (entry === null) return null;
        const gone = await shown(key, entry);
        // The entry goes last: while it is there a removal that broke off can be asked for again.
        await dropConsumer(key);
        await (await ports.kv).delete(keyOf(key));
        return gone;
      }),
    endAll: (tenant) =>
      answered(async () => {
        for (const key of await keysOf(`${tenant}.*`)) {
          const { entry, revision } = await read(key);
          if (entry === null) continue;
          const ended = { ...entry, ended_at: entry.ended_at ?? clock.now() };
          // First the entry: the relay makes no consumer again for one that has ended.
          await (await ports.kv).put(keyOf(key), JSON.stringify(ended), { previousSeq: revision });
          await dropConsumer(key);
        }
      }),
    ensureAll: () =>
      answered(async () => {
        for (const key of await keysOf(">")) {
          const { entry } = await read(key);
          if (entry !== null && entry.ended_at === null) await ensureConsumer(nats.jsm, consumerOf(key));
        }
      }),
  };
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asNatsError(error);
  }
}

function isMissing(error: unknown): boolean {
  return (error as { api_error?: { code?: number } }).api_error?.code === 404;
}

function exists(name: string): Rejection {
  return new Rejection("SUBSCRIBER_EXISTS", `The subscriber ${name} has another account by now.`, {
    hint: "`cazi subscriber list` shows it; `cazi subscriber add --renew` gives it new credentials.",
  });
}
