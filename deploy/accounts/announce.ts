/** Signed documents of accounts, given to a NATS server that runs: over its system account. */
import { ErrorCode, type NatsConnection, NatsError } from "nats";
import { Rejection } from "../../services/kernel/errors.ts";
import { servicesExports } from "../../streams/accounts.ts";
import { signedExport } from "../embedded/natsIdentities.ts";

const answerMs = 5_000;
const lookupMs = 1_500;

/**
 * Puts an account's document in force, kept by the server's resolver. Doing it again changes nothing.
 * @throws Rejection `NATS_ACCOUNTS_REFUSED`
 */
export async function announce(system: NatsConnection, document: string): Promise<void> {
  const answer = await system
    .request("$SYS.REQ.CLAIMS.UPDATE", document, { timeout: answerMs })
    .then((message) => message.json<{ error?: { description?: string }; data?: { code?: number } }>())
    .catch((cause: unknown) => {
      throw refused("no server takes it", cause);
    });
  if (answer.error !== undefined) throw refused(answer.error.description ?? "the server gives no reason");
}

/** The document in force of an account; null where no server knows one: then nobody answers. */
export async function documentOf(system: NatsConnection, account: string): Promise<string | null> {
  const subject = `$SYS.REQ.ACCOUNT.${account}.CLAIMS.LOOKUP`;
  const answer = await system.request(subject, "", { timeout: lookupMs }).then(
    (message) => message.string(),
    (cause: unknown) => {
      if (cause instanceof NatsError && cause.code === ErrorCode.Timeout) return "";
      throw refused("no server tells of its accounts", cause);
    },
  );
  return answer === "" ? null : answer;
}

/**
 * Adds to the services' account what nodes import and it does not export yet: the embedded server has it from its
 * start, another one from the first node that is added.
 */
export async function ensureExports(
  system: NatsConnection,
  of: { readonly servicesAccount: string; readonly operatorSeed: string },
): Promise<void> {
  const jwt = await import("@nats-io/jwt");
  const document = await documentOf(system, of.servicesAccount);
  if (document === null) throw refused("the server does not know the account of NATS_CREDS");
  const claims = jwt.decode<import("@nats-io/jwt").Account>(document);
  const exports = claims.nats.exports ?? [];
  const missing = servicesExports.filter(({ subject }) => !exports.some((one) => one.subject === subject));
  if (missing.length === 0) return;
  const account = { ...claims.nats, exports: [...exports, ...missing.map(signedExport)] };
  const signer = jwt.fromSeed(new TextEncoder().encode(of.operatorSeed.trim()));
  await announce(system, await jwt.encodeAccount(claims.name, claims.sub, account, { signer }));
}

function refused(why: string, cause?: unknown): Rejection {
  return new Rejection("NATS_ACCOUNTS_REFUSED", `the NATS server does not take the account: ${why}`, {
    cause,
    hint: "It must run in operator mode with a full resolver, and trust the key that signs: docs/nodes.md.",
  });
}
