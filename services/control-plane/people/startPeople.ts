import type { Clock } from "../../kernel/clock.ts";
import type { Config } from "../../kernel/config.ts";
import type { Log } from "../../kernel/log.ts";
import type { Nats } from "../../kernel/nats/connectNats.ts";
import type { DatabasePool } from "../../kernel/postgres/openPool.ts";
import { tokenHash } from "../http/authenticate.ts";
import { peopleKnownMs, peopleSyncMs } from "../limits.ts";
import type { Principal, TokenVerifier } from "../ports.ts";
import { administerTenants } from "./administerTenants.ts";
import { administerTokens } from "./administerTokens.ts";
import { administerUsers } from "./administerUsers.ts";
import { PeopleDirectory } from "./directory.ts";
import type { People } from "./people.ts";
import { openPeopleBucket, type PeopleBucket } from "./peopleBucket.ts";
import { writeUses } from "./peopleStore.ts";
import type { PersonRecord } from "./records.ts";
import { syncPeople } from "./syncPeople.ts";
import { type LimitDefaults, limitsInForce } from "./tenantLimits.ts";
import { tokenUses } from "./tokenUses.ts";
import { verifySignIn } from "./verifySignIn.ts";
import { tokenVerifier } from "./verifyToken.ts";

export type PeopleConfig = Pick<
  Config,
  "tenant" | "oidcIssuer" | "oidcAudience" | "oidcUserClaim" | "oidcTenantClaim"
> &
  LimitDefaults;

interface Ports {
  readonly config: PeopleConfig;
  readonly nats: Nats;
  readonly pool: DatabasePool;
  readonly clock: Clock;
  readonly log: Log;
  /** The token of this process's CAZI_HOME: an admin of the installation. */
  readonly adminToken: string;
  readonly syncMs?: number;
}

/** What the administration of people works with. */
export interface PeopleParts extends Pick<Ports, "config" | "pool" | "clock" | "log"> {
  readonly directory: PeopleDirectory;
  readonly bucket: PeopleBucket;
  readonly firstToken: { readonly id: string; readonly hash: string; readonly principal: Principal };
  /** Tells every replica what Postgres has taken. Where NATS is away it follows later. */
  publish(record: PersonRecord): Promise<void>;
}

export interface RunningPeople {
  readonly people: People;
  readonly tokens: TokenVerifier;
  /** Compares Postgres with the bucket now. */
  sync(): Promise<void>;
  stop(): Promise<void>;
}

/** Resolves when the bucket's content is known; Postgres may be away. */
export async function startPeople(ports: Ports): Promise<RunningPeople> {
  const { config, nats, pool, clock, log, adminToken } = ports;
  const directory = new PeopleDirectory(config.tenant);
  const bucket = await openPeopleBucket({ nats, log, directory });
  const uses = tokenUses(clock);
  let doubtful = true;
  let syncedAt = clock.monotonicMs();
  const sync = async () => {
    await syncPeople({ pool, bucket, directory, home: config.tenant, clock, log }, doubtful);
    doubtful = false;
    syncedAt = clock.monotonicMs();
  };
  const forget = nats.onReconnect(() => {
    doubtful = true;
  });
  const rounds = inRounds(
    ports.syncMs ?? peopleSyncMs,
    async () => {
      await sync();
      await uses.flush((used) => writeUses(pool, used));
    },
    (error) => log.debug({ error }, "who is who was not compared with Postgres; it is tried again"),
  );
  const hash = tokenHash(adminToken).toString("hex");
  const principal = firstPrincipal(config.tenant, hash);
  const parts: PeopleParts = {
    ...{ config, pool, clock, log, directory, bucket },
    firstToken: { id: principal.token.id, hash, principal },
    publish: async (record) => {
      directory.hear(record);
      await bucket.put(record).catch((error) => log.warn({ error }, "the bucket `tokens` follows later"));
    },
  };
  return {
    people: {
      home: config.tenant,
      limits: (tenant) => limitsInForce(directory.tenant(tenant), config),
      ...administerTenants(parts),
      ...administerUsers(parts),
      ...administerTokens(parts),
    },
    tokens: tokenVerifier({
      ...{ directory, bucket, first: { token: adminToken, principal } },
      signIn: verifySignIn({ config, directory, clock, log }),
      fresh: () => nats.connected() || clock.monotonicMs() - syncedAt < peopleKnownMs,
      used: uses.used,
      now: clock.now,
    }),
    sync,
    stop: async () => {
      forget();
      bucket.stop();
      await rounds.stop();
      await uses.flush((used) => writeUses(pool, used)).catch(() => undefined);
    },
  };
}

/** Of the hash, so that the id tells nothing of the token. */
const FIRST_ID_CHARS = 26;

function firstPrincipal(tenant: string, hash: string) {
  const token = { id: hash.slice(0, FIRST_ID_CHARS), name: "token of CAZI_HOME", expiresAt: null };
  const who = { tenant, actor: "user:admin", accountable: null, role: "admin" } as const;
  return { ...who, installation: true, token } satisfies Principal;
}

/** Does `work` now and then, one after the other. */
function inRounds(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
): { stop(): Promise<void> } {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  const round = async () => {
    await work().catch(onError);
    if (!stopped) timer = setTimeout(next, everyMs);
  };
  let running: Promise<void> = Promise.resolve();
  function next(): void {
    running = round();
  }
  next();
  return {
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
