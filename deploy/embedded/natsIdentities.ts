/**
 * Keys and signed documents of the embedded NATS server, in operator mode: one operator, a system account, and
 * the services' account. Seeds are made once and kept; documents are signed again when the limits here change, not at
 * every start: the pure JavaScript signatures were a quarter of a start's time. Standalone nodes get accounts of their own from the same operator.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { KeyPair } from "@nats-io/jwt";
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

type JwtModule = typeof import("@nats-io/jwt");

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

/** Reads what is kept under `folder` (0700, files 0600), and makes and signs what is missing or out of date. */
export async function natsIdentities(folder: string): Promise<NatsIdentities> {
  const files = {
    credsFile: join(folder, "services.creds"),
    systemCredsFile: join(folder, "system.creds"),
  };
  const documentsFile = join(folder, "documents.json");
  const basis = JSON.stringify({ accountLimits, servicesLimits });
  const kept = readDocuments(documentsFile);
  if (kept?.basis === basis && Object.values(files).every((file) => existsSync(file))) {
    return { ...kept.documents, ...files };
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const documents = await signDocuments(folder, files);
  writeFileWhole(documentsFile, JSON.stringify({ basis, documents }));
  return { ...documents, ...files };
}

type Files = Pick<NatsIdentities, "credsFile" | "systemCredsFile">;
type Documents = Omit<NatsIdentities, keyof Files>;

function readDocuments(path: string): { basis: string; documents: Documents } | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

async function signDocuments(folder: string, files: Files): Promise<Documents> {
  const jwt = await import("@nats-io/jwt");
  const operator = keptKey(jwt, join(folder, "operator.nk"), jwt.createOperator);
  const system = keptKey(jwt, join(folder, "system.nk"), jwt.createAccount);
  const services = keptKey(jwt, join(folder, "services.nk"), jwt.createAccount);
  await keepCreds(jwt, files.credsFile, { name: "services", account: services });
  await keepCreds(jwt, files.systemCredsFile, { name: "system", account: system });
  const signedBy = { signer: operator };
  return {
    operatorJwt: await jwt.encodeOperator("cazi", operator, { system_account: system.getPublicKey() }),
    systemAccount: system.getPublicKey(),
    systemJwt: await jwt.encodeAccount("system", system, { limits: accountLimits }, signedBy),
    servicesAccount: services.getPublicKey(),
    servicesJwt: await jwt.encodeAccount("services", services, { limits: servicesLimits }, signedBy),
  };
}

function keptKey(jwt: JwtModule, path: string, make: () => KeyPair): KeyPair {
  if (existsSync(path)) return jwt.fromSeed(readFileSync(path));
  const pair = make();
  writeFileWhole(path, pair.getSeed());
  return pair;
}

async function keepCreds(
  jwt: JwtModule,
  path: string,
  of: { name: string; account: KeyPair },
): Promise<void> {
  if (existsSync(path)) return;
  const user = jwt.createUser();
  writeFileWhole(path, jwt.fmtCreds(await jwt.encodeUser(of.name, user, of.account), user));
}
