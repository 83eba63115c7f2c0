import { readFileSync } from "node:fs";
import { Rejection } from "../errors.ts";

/** What a file of NATS credentials says of its holder; nothing of it is secret. */
export interface CredentialFacts {
  /** Public key of the account. */
  readonly account: string;
  /** The standalone node that they were made for; null for any other holder. */
  readonly node: string | null;
}

/** Marks the credentials of a standalone node, before its name. */
export const nodeTag = "cazi-node:";

/** The file's bytes. @throws Rejection `NATS_CREDS_UNREADABLE` */
export function readCredentials(file: string): Buffer {
  try {
    const bytes = readFileSync(file);
    if (bytes.includes("BEGIN NATS USER JWT")) return bytes;
  } catch (cause) {
    throw unreadable(file, `${(cause as Error).message}`, cause);
  }
  throw unreadable(file, "it holds no NATS credentials");
}

/** Reads them unchecked: the server is who checks. @throws Rejection `NATS_CREDS_UNREADABLE` */
export function credentialFacts(file: string): CredentialFacts {
  const text = readCredentials(file).toString();
  try {
    const [, jwt] = /BEGIN NATS USER JWT-+\s+(\S+)/.exec(text)!;
    const claims = JSON.parse(Buffer.from(jwt!.split(".")[1]!, "base64url").toString()) as {
      iss: string;
      nats: { issuer_account?: string; tags?: readonly string[] };
    };
    const tag = claims.nats.tags?.find((one) => one.startsWith(nodeTag));
    return {
      account: claims.nats.issuer_account ?? claims.iss,
      node: tag === undefined ? null : tag.slice(nodeTag.length),
    };
  } catch (cause) {
    throw unreadable(file, "its document cannot be read", cause);
  }
}

function unreadable(file: string, why: string, cause?: unknown): Rejection {
  return new Rejection("NATS_CREDS_UNREADABLE", `the credentials file ${file} cannot be used: ${why}`, {
    cause,
    hint: "Set NATS_CREDS to a file of NATS user credentials, or unset it where the server asks for none.",
  });
}
