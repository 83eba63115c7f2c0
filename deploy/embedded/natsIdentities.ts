/**
 * Keys and signed documents of the embedded NATS server, in operator mode: one operator, a system account, and
 * the services' account. Seeds are made once and kept; documents are signed anew at each start, so that a newer
 * version's limits take effect. Standalone nodes get accounts of their own from the same operator.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  createAccount,
  createOperator,
  createUser,
  encodeAccount,
  encodeOperator,
  encodeUser,
  fmtCreds,
  fromSeed,
  type KeyPair,
} from "@nats-io/jwt";
import { writeFileWhole } from "./writeFileWhole.ts";

/** Bytes that all streams of the services together may reserve and fill. */
export const natsFileStoreBytesMax = 64 * 1024 ** 3;
/** Nothing of Cazi lives in memory streams; presence caches may. */
export const natsMemoryStoreBytesMax = 256 * 1024 ** 2;

export interface NatsIdentities {
  readonly operatorJwt: string;
  readonly systemAccount: string;
  readonly systemJwt: string;
  readonly servicesAccount: string;
  readonly servicesJwt: string;
  readonly credsFile: string;
  readonly systemCredsFile: string;
}

const unlimited = -1;
const accountLimits = {
  subs: unlimited,
  data: unlimited,
  payload: unlimited,
  imports: unlimited,
  exports: unlimited,
  conn: unlimited,
  leaf: unlimited,
  wildcards: true,
} as const;
const servicesLimits = {
  ...accountLimits,
  mem_storage: natsMemoryStoreBytesMax,
  disk_storage: natsFileStoreBytesMax,
  streams: unlimited,
  consumer: unlimited,
} as const;

/** Reads the keys under `folder` (0700, files 0600), makes those that are missing, and signs the documents. */
export async function natsIdentities(folder: string): Promise<NatsIdentities> {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const operator = keptKey(join(folder, "operator.nk"), createOperator);
  const system = keptKey(join(folder, "system.nk"), createAccount);
  const services = keptKey(join(folder, "services.nk"), createAccount);
  const credsFile = join(folder, "services.creds");
  const systemCredsFile = join(folder, "system.creds");
  await keepCreds(credsFile, "services", services);
  await keepCreds(systemCredsFile, "system", system);
  const signedBy = { signer: operator };
  return {
    operatorJwt: await encodeOperator("cazi", operator, { system_account: system.getPublicKey() }),
    systemAccount: system.getPublicKey(),
    systemJwt: await encodeAccount("system", system, { limits: accountLimits }, signedBy),
    servicesAccount: services.getPublicKey(),
    servicesJwt: await encodeAccount("services", services, { limits: servicesLimits }, signedBy),
    credsFile,
    systemCredsFile,
  };
}

function keptKey(path: string, make: () => KeyPair): KeyPair {
  if (existsSync(path)) return fromSeed(readFileSync(path));
  const pair = make();
  writeFileWhole(path, pair.getSeed());
  return pair;
}

async function keepCreds(path: string, name: string, account: KeyPair): Promise<void> {
  if (existsSync(path)) return;
  const user = createUser();
  const jwt = await encodeUser(name, user, account);
  writeFileWhole(path, fmtCreds(jwt, user));
}
