import type { CryptoKey } from "jose";
import type { KV } from "nats";
import type { PlacedTask } from "../../domain/task/taskState.ts";
import type { Clock } from "../../kernel/clock.ts";
import { Rejection, Retryable } from "../../kernel/errors.ts";
import type { TaskKey, TaskLedger } from "../../kernel/ledger/taskLedger.ts";
import type { Log } from "../../kernel/log.ts";
import type { MasterKey } from "../../kernel/sealing/masterKey.ts";
import { issueWorkloadToken } from "./issueWorkloadToken.ts";
import {
  activeKey,
  type FreshKey,
  isDueToRotate,
  type KeyRing,
  type KeyState,
  type KeyTiming,
  keyStates,
  publishedKeys,
  revoke,
  rotate,
  tidied,
} from "./keyRing.ts";
import { discoveryDocument, type JsonWebKeySet, keySet } from "./keySet.ts";
import { type KeyStore, openKeyStore } from "./keyStore.ts";
import { makeSigningKey, openSigningKey } from "./signingKey.ts";
import { verifyWorkloadToken, type WorkloadIdentity } from "./verifyWorkloadToken.ts";
import { workloadClaims } from "./workloadClaims.ts";

export interface IdentitySettings {
  /** Where the API is reached from outside, without a slash at the end: `iss` of the tokens. */
  readonly issuer: () => string;
  /** Audiences besides the issuer. */
  readonly audiences: readonly string[];
  readonly startLimitMs: number;
  readonly stopGraceMs: number;
  readonly timing: KeyTiming;
  /** Age of a signing key at which the next is made; 0 for never. */
  readonly rotateAfterMs: number;
}

/** A key as an operator sees it. */
export interface KeyView {
  readonly kid: string;
  readonly state: KeyState | "revoked";
  readonly createdAt: number;
  readonly signsFrom: number;
  /** When the state ends; null where nothing is planned. */
  readonly until: number | null;
  /** When somebody revoked it, and who; null for one that is in use. */
  readonly revoked: { readonly at: number; readonly by: string } | null;
}

/** What the control plane says of who a task is, and how that is checked. */
export interface Identity {
  /** @throws Retryable `KEYS_UNAVAILABLE`; Rejection `MASTER_KEY_WRONG` */
  issue(key: TaskKey, state: PlacedTask): Promise<string>;
  /** See `verifyWorkloadToken`. The audience of the API itself is {@link Identity.issuer}. */
  verify(token: string, audience: string): Promise<WorkloadIdentity>;
  issuer(): string;
  jwks(): JsonWebKeySet;
  discovery(): ReturnType<typeof discoveryDocument>;
  keys(): readonly KeyView[];
  /**
   * Has another key sign than the one that signs now, or than `replaces`: a wish that was granted already changes nothing.
   * @param wish `soon`: at once, before all verifiers have it
   * @throws Retryable `KEYS_UNAVAILABLE`
   */
  rotate(wish: { readonly soon: boolean; readonly replaces: string | null }): Promise<readonly KeyView[]>;
  /**
   * Takes a key away that others may have: at once it is published no more, what it signed is refused, and another signs.
   * Doing it again changes nothing.
   * @param by the actor
   * @throws Rejection `KEY_NOT_FOUND`; Retryable `KEYS_UNAVAILABLE`
   */
  revoke(kid: string, by: string): Promise<readonly KeyView[]>;
  stop(): void;
}

/** Rotation by age, and what is not needed any more, is looked at this often. */
const LOOK_MS = 60_000;

/**
 * Opens the signing keys, making the first where there is none.
 * @throws Retryable `KEYS_UNAVAILABLE`; Rejection `MASTER_KEY_WRONG`
 */
export async function openIdentity(
  ports: {
    readonly kv: KV;
    readonly ledger: Pick<TaskLedger, "load">;
    readonly master: MasterKey;
    readonly clock: Clock;
    readonly log: Log;
  },
  settings: IdentitySettings,
): Promise<Identity> {
  const { clock, master, log, ledger } = ports;
  const { timing, issuer } = settings;
  const store = await openKeyStore(ports.kv, log);
  const opened = new Map<string, Promise<CryptoKey>>();
  const signer = async () => {
    const key = activeKey(store.ring(), clock.now());
    if (key === null) throw new Retryable("KEYS_UNAVAILABLE", "There is no signing key yet.");
    let privateKey = opened.get(key.kid);
    if (privateKey === undefined) {
      privateKey = openSigningKey(master, key);
      opened.set(key.kid, privateKey);
      privateKey.catch(() => opened.delete(key.kid));
    }
    return { kid: key.kid, privateKey: await privateKey };
  };
  const replace = async (soon: boolean, key: string | null = null) => {
    // Named once, at the wish: whoever else replaces the same key meanwhile has granted it.
    const replaces = key ?? activeKey(store.ring(), clock.now())?.kid ?? null;
    const fresh = await makeSigningKey(master);
    return store.change((ring) => rotate(ring, fresh, { replaces, at: clock.now(), soon }, timing));
  };
  const jwks = () => keySet(publishedKeys(store.ring(), clock.now(), timing));
  try {
    if (store.ring().keys.length === 0) await replace(true);
    await signer();
  } catch (error) {
    store.stop();
    throw error;
  }
  const timer = setInterval(() => void look().catch((error) => log.warn({ error }, FAILED_LOOK)), LOOK_MS);
  timer.unref();

  async function look(): Promise<void> {
    const now = clock.now();
    if (settings.rotateAfterMs > 0 && isDueToRotate(store.ring(), now, settings.rotateAfterMs)) {
      await replace(false);
      log.info({}, "the signing key of workload tokens is old; the next one is published");
    }
    if (tidied(store.ring(), now, timing) !== store.ring()) {
      await store.change((ring) => tidied(ring, now, timing));
    }
  }
  const audience = () => [issuer(), ...settings.audiences];
  return {
    issue: async (key, state) =>
      issueWorkloadToken(
        workloadClaims(state, {
          ...key,
          ...settings,
          issuer: issuer(),
          audience: audience(),
          now: clock.now(),
        }),
        await signer(),
      ),
    verify: (token, wanted) => verifyWorkloadToken({ ledger, keys: jwks(), now: clock.now() }, token, wanted),
    issuer,
    jwks,
    discovery: () => discoveryDocument(issuer()),
    keys: () => views(store.ring(), clock.now(), timing),
    rotate: async ({ soon, replaces }) => views(await replace(soon, replaces), clock.now(), timing),
    revoke: async (kid, by) => {
      const ring = await takeAway({ store, clock, fresh: await makeSigningKey(master) }, kid, by);
      opened.delete(kid);
      log.warn({ kid, by }, "a signing key was revoked: what it signed is refused");
      return views(ring, clock.now(), timing);
    },
    stop: () => {
      clearInterval(timer);
      store.stop();
    },
  };
}

const FAILED_LOOK = "the signing keys could not be looked after; trying again";

/** @throws Rejection `KEY_NOT_FOUND` */
async function takeAway(
  { store, clock, fresh }: { readonly store: KeyStore; readonly clock: Clock; readonly fresh: FreshKey },
  kid: string,
  by: string,
): Promise<KeyRing> {
  let isKnown = true;
  const ring = await store.change((newest) => {
    const after = revoke(newest, fresh, { kid, at: clock.now(), by });
    isKnown = after !== null;
    return after ?? newest;
  });
  if (!isKnown) throw keyNotFound();
  return ring;
}

function views(ring: KeyRing, now: number, timing: KeyTiming): readonly KeyView[] {
  const gone = ring.revoked.map(({ kid, created_at, signs_from, revoked_at, revoked_by }) => ({
    kid,
    state: "revoked" as const,
    createdAt: created_at,
    signsFrom: signs_from,
    until: null,
    revoked: { at: revoked_at, by: revoked_by },
  }));
  const kept = keyStates(ring, now, timing).map(({ key, state, until }) => ({
    kid: key.kid,
    state,
    createdAt: key.created_at,
    signsFrom: key.signs_from,
    until,
    revoked: null,
  }));
  return [...gone, ...kept];
}

export function keyNotFound(): Rejection {
  return new Rejection("KEY_NOT_FOUND", "There is no signing key of this id.", {
    hint: "`cazi keys list` shows those there are.",
  });
}
