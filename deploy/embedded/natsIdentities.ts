/**
 * Keys and signed documents of the embedded NATS server, in operator mode: one operator, a system account, and
 * the services' account. Seeds are made once and kept; documents are signed again when the limits here change, not at
 * every start: the pure JavaScript signatures were a quarter of a start's time. The subscriber of the default tenant's feed
 * has an account of its own, as `streams/accounts.ts` says, and standalone nodes get theirs from the same operator.
 */
import { existsSync, mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { KeyPair, Permissions } from "@nats-io/jwt";
import { type ExportedSubject, servicesExports } from "../../streams/accounts.ts";
import { HOME_SUBSCRIBER } from "../../streams/consumers.ts";
import { subscriberClaims, subscriberRights } from "../accounts/subscriberAccount.ts";
import { writeFileWhole } from "./writeFileWhole.ts";

/** Bytes that all streams together may reserve and fill on one server. */
export const natsFileStoreBytesMax = 64 * 1024 ** 3;
/** Nothing of Cazi lives in memory streams; presence caches may. */
export const natsMemoryStoreBytesMax = 256 * 1024 ** 2;

export interface NatsIdentities {
  readonly operatorJwt: string;
  readonly systemAccount: string;
  readonly systemJwt: string;
  readonly servicesAccount: string;
  readonly servicesJwt: string;
  readonly subscriberAccount: string;
  readonly subscriberJwt: string;
  readonly credsFile: string;
  readonly systemCredsFile: string;
  /** For an outside program: it can read the default tenant's feed and do nothing else. */
  readonly subscriberCredsFile: string;
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
  // The server bounds it: a limit here would count each replica of a cluster's streams.
  disk_storage: unlimited,
  streams: unlimited,
  consumer: unlimited,
} as const;

const rights = subscriberRights(HOME_SUBSCRIBER);

/** Reads what is kept under `folder` (0700, files 0600), and makes and signs what is missing or out of date. */
export async function natsIdentities(folder: string): Promise<NatsIdentities> {
  const files = {
    credsFile: join(folder, "services.creds"),
    systemCredsFile: join(folder, "system.creds"),
    // To be handed out, so not among the keys.
    subscriberCredsFile: join(dirname(folder), "subscriber.creds"),
  };
  const documentsFile = join(folder, "documents.json");
  const basis = JSON.stringify({
    accountLimits,
    servicesLimits,
    servicesExports,
    subscriber: subscriberClaims({ consumer: HOME_SUBSCRIBER, servicesAccount: "" }),
    rights,
  });
  const kept = readDocuments(documentsFile);
  if (kept?.basis === basis && Object.values(files).every((file) => existsSync(file))) {
    return { ...kept.documents, ...files };
  }
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const documents = await signDocuments(folder, files);
  writeFileWhole(documentsFile, JSON.stringify({ basis, documents }));
  return { ...documents, ...files };
}

type Files = Pick<NatsIdentities, "credsFile" | "systemCredsFile" | "subscriberCredsFile">;
type Documents = Omit<NatsIdentities, keyof Files>;

function readDocuments(path: string): { basis: string; documents: Documents } | null {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : null;
}

async function signDocuments(folder: string, files: Files): Promise<Documents> {
  const jwt = await import("@nats-io/jwt");
  const operator = keptKey(jwt, join(folder, "operator.nk"), jwt.createOperator);
  const system = keptKey(jwt, join(folder, "system.nk"), jwt.createAccount);
  const services = keptKey(jwt, join(folder, "services.nk"), jwt.createAccount);
  const subscriber = keptKey(jwt, join(folder, "subscriber.nk"), jwt.createAccount);
  await keepCreds(jwt, files.credsFile, { name: "services", account: services });
  await keepCreds(jwt, files.systemCredsFile, { name: "system", account: system });
  const outside = { name: HOME_SUBSCRIBER, account: subscriber };
  await keepCreds(jwt, files.subscriberCredsFile, outside, rights);
  const signedBy = { signer: operator };
  const account = services.getPublicKey();
  const claims = subscriberClaims({ consumer: HOME_SUBSCRIBER, servicesAccount: account });
  const exports = servicesExports.map(signedExport);
  return {
    operatorJwt: await jwt.encodeOperator("cazi", operator, { system_account: system.getPublicKey() }),
    systemAccount: system.getPublicKey(),
    systemJwt: await jwt.encodeAccount("system", system, { limits: accountLimits }, signedBy),
    servicesAccount: account,
    servicesJwt: await jwt.encodeAccount("services", services, { limits: servicesLimits, exports }, signedBy),
    subscriberAccount: subscriber.getPublicKey(),
    subscriberJwt: await jwt.encodeAccount(HOME_SUBSCRIBER, subscriber, claims, signedBy),
  };
}

/** As it stands in the account's signed document. A fetch gets many answers, hence the response type. */
export function signedExport({ subject, type }: ExportedSubject) {
  const answers = type === "service" ? { response_type: "Stream" as const } : {};
  return { name: subject, subject, type, ...answers };
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
  rights: Partial<Permissions> = {},
): Promise<void> {
  if (existsSync(path)) return;
  const user = jwt.createUser();
  writeFileWhole(path, jwt.fmtCreds(await jwt.encodeUser(of.name, user, of.account, rights), user));
}
