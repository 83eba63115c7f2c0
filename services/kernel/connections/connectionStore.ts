import type { KV } from "nats";
import type { Clock } from "../clock.ts";
import { CaziError, Rejection, Retryable } from "../errors.ts";
import { isWrongSequence } from "../nats/natsError.ts";
import { secretForms } from "../redaction/secretForms.ts";
import { noSecrets, SecretSet } from "../redaction/secretMasker.ts";
import type { MasterKey } from "../sealing/masterKey.ts";
import {
  type Connection,
  type ConnectionRecord,
  type ConnectionValues,
  connectionRecord,
  noRecord,
  removed,
  replaced,
  secretBytes,
  shown,
} from "./connectionRecord.ts";

/** All throw Retryable `CONNECTIONS_UNAVAILABLE` where the bucket does not answer. */
export interface ConnectionStore {
  /** Replaces all of it. @returns it, and whether it is new */
  put(
    key: ConnectionKey,
    to: { readonly values: ConnectionValues; readonly description: string | null; readonly by: string },
  ): Promise<{ readonly connection: Connection; readonly created: boolean }>;
  /**
   * Nothing new uses it. What it held stays sealed, so that output stays masked, unless `forget`.
   * @returns false where there is none
   */
  remove(key: ConnectionKey, options: { readonly forget: boolean }): Promise<boolean>;
  get(key: ConnectionKey): Promise<Connection | null>;
  /** By name. */
  list(tenant: string): Promise<readonly Connection[]>;
  /** The newest values, in the order of the names. @throws Rejection `MASTER_KEY_WRONG` */
  open(
    tenant: string,
    names: readonly string[],
  ): Promise<{
    readonly values: readonly (ConnectionValues & { name: string })[];
    readonly missing: readonly string[];
  }>;
  /** All that these ever held, as far as it is kept: what to mask. @throws Rejection `MASTER_KEY_WRONG` */
  secrets(tenant: string, names: readonly string[]): Promise<SecretSet>;
}

export interface ConnectionKey {
  readonly tenant: string;
  readonly name: string;
}

const LABEL = "connection";
const CONFLICTS_MAX = 20;

export function createConnectionStore(ports: {
  readonly kv: KV;
  readonly master: MasterKey;
  readonly clock: Clock;
}): ConnectionStore {
  const { kv, master, clock } = ports;
  const keyOf = ({ tenant, name }: ConnectionKey) => `${tenant}.${name}`;
  const placeOf = ({ tenant, name }: ConnectionKey, version: number) => ({
    label: LABEL,
    parts: [tenant, name, version],
  });
  const valuesOf = (key: ConnectionKey, { version, sealed }: { version: number; sealed: string }) => {
    const plain = master.open(placeOf(key, version), sealed);
    if (plain === null) throw unopened(key.name);
    return JSON.parse(plain.toString()) as ConnectionValues;
  };

  async function read(key: ConnectionKey) {
    const entry = await kv.get(keyOf(key));
    const record =
      entry === null || entry.operation !== "PUT" ? noRecord : connectionRecord.parse(entry.json());
    return { record, revision: entry?.revision ?? 0 };
  }

  /** @returns the record before and after */
  async function change(key: ConnectionKey, decide: (record: ConnectionRecord) => ConnectionRecord) {
    for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
      const { record, revision } = await read(key);
      const wanted = decide(record);
      if (wanted === record) return { before: record, after: record };
      try {
        await kv.put(keyOf(key), JSON.stringify(wanted), { previousSeq: revision });
        return { before: record, after: wanted };
      } catch (error) {
        if (!isWrongSequence(error)) throw error;
      }
    }
    throw new Error(`connection ${key.name} kept changing`);
  }

  return {
    put: (key, { values, description, by }) =>
      answered(async () => {
        const plain = Buffer.from(JSON.stringify(values));
        const { before, after } = await change(key, (record) => {
          const sealed = master.seal(placeOf(key, record.version + 1), plain);
          return replaced(record, { values, sealed, description, at: clock.now(), by });
        });
        return { connection: shown(key.name, after)!, created: before.current === null };
      }),
    remove: (key, { forget }) =>
      answered(async () => {
        const { before } = await change(key, (record) => {
          const gone = removed(record);
          return forget && gone.past.length > 0 ? { ...gone, past: [] } : gone;
        });
        return before.current !== null || (forget && before.past.length > 0);
      }),
    get: (key) => answered(async () => shown(key.name, (await read(key)).record)),
    list: (tenant) =>
      answered(async () => {
        const found: Connection[] = [];
        for await (const stored of await kv.keys(`${tenant}.*`)) {
          const name = stored.slice(tenant.length + 1);
          const connection = shown(name, (await read({ tenant, name })).record);
          if (connection !== null) found.push(connection);
        }
        return found.sort((a, b) => (a.name < b.name ? -1 : 1));
      }),
    open: (tenant, names) =>
      answered(async () => {
        const values: (ConnectionValues & { name: string })[] = [];
        const missing: string[] = [];
        for (const name of names) {
          const { version, current } = (await read({ tenant, name })).record;
          if (current === null) missing.push(name);
          else values.push({ name, ...valuesOf({ tenant, name }, { version, sealed: current.sealed }) });
        }
        return { values, missing };
      }),
    secrets: (tenant, names) =>
      answered(async () => {
        if (names.length === 0) return noSecrets;
        const all: ConnectionValues[] = [];
        for (const name of names) {
          const { version, current, past } = (await read({ tenant, name })).record;
          const kept = current === null ? past : [{ version, sealed: current.sealed }, ...past];
          all.push(...kept.map((one) => valuesOf({ tenant, name }, one)));
        }
        return new SecretSet(secretForms(secretBytes(all)));
      }),
  };
}

async function answered<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof CaziError) throw cause;
    throw new Retryable("CONNECTIONS_UNAVAILABLE", "The stored connections cannot be read or written now.", {
      cause,
    });
  }
}

function unopened(name: string): Rejection {
  return new Rejection("MASTER_KEY_WRONG", `Connection ${name} was sealed with another master key.`, {
    hint: "Give every control plane the CAZI_MASTER_KEY that it was sealed with, or set the connection again.",
  });
}
