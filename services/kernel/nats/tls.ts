/** Encryption of the connection to NATS: which files, whose certificate, and what went wrong. */
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { ErrorCode } from "nats";
import type { Config } from "../config.ts";
import { Rejection } from "../errors.ts";

/** Paths of PEM files; "" for none. */
export interface NatsTls {
  /** Who may sign the server's certificate, in place of the system's own list. */
  readonly caFile: string;
  readonly certFile: string;
  readonly keyFile: string;
}

/** The files that the settings name. */
export function natsTls(config: Pick<Config, "natsCa" | "natsCert" | "natsKey">): NatsTls {
  return { caFile: config.natsCa, certFile: config.natsCert, keyFile: config.natsKey };
}

/**
 * The client's options; none where no encryption is asked for.
 * @throws Rejection `NATS_TLS_FAILED` naming a file that cannot be read
 */
export function tlsOptions({ url, tls }: { readonly url: string; readonly tls?: NatsTls }): { tls?: object } {
  const files = Object.entries(tls ?? {}).filter(([, path]) => path !== "");
  const asked = url.split(",").some((one) => one.trim().startsWith("tls://"));
  if (!asked && files.length === 0) return {};
  const names = { caFile: "ca", certFile: "cert", keyFile: "key" } as const;
  // Read here: the client's own reading says of a missing file only that it is missing.
  const read = files.map(([name, path]) => [names[name as keyof NatsTls], readTlsFile(url, path)]);
  return { tls: { ...Object.fromEntries(read), checkServerIdentity: identityCheck(url) } };
}

function readTlsFile(url: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw tlsFailed(url, `${path} cannot be read`, cause);
  }
}

/**
 * The client gives a server's name and no address to whoever checks its certificate, and the platform then takes
 * "localhost" for it. Where addresses are configured, the certificate must name one of those.
 */
function identityCheck(url: string) {
  const hosts = url.split(",").map((one) => new URL(one.trim()).hostname.replace(/^\[|\]$/g, ""));
  const addresses = hosts.filter((host) => isIP(host) !== 0);
  return (host: string, certificate: PeerCertificate): Error | undefined => {
    if (host !== "localhost" || hosts.includes("localhost")) return checkServerIdentity(host, certificate);
    const wrong = addresses.map((address) => checkServerIdentity(address, certificate));
    return wrong.includes(undefined) ? undefined : wrong[0];
  };
}

/** What a failure of the encryption says, or null for one of another kind: trying again does not change these. */
export function tlsFailure(error: unknown): string | null {
  const { code, message } = error as { code?: string; message: string };
  if (code === ErrorCode.ServerOptionNotAvailable) return "the server does not offer it";
  const known = /^(ERR_TLS_|ERR_SSL_|ERR_OSSL_|CERT_|UNABLE_TO_|SELF_SIGNED_|DEPTH_ZERO_|HOSTNAME_)/;
  const cause = (error as { chainedError?: { code?: string; message: string } }).chainedError;
  if (cause?.code !== undefined && known.test(cause.code)) return cause.message;
  return code !== undefined && known.test(code) ? message : null;
}

export function tlsFailed(url: string, why: string, cause: unknown): Rejection {
  return new Rejection("NATS_TLS_FAILED", `no encrypted connection to ${url}: ${why}`, {
    cause,
    hint: "Set NATS_CA to the certificate that signed the server's, and use an address that its certificate names.",
  });
}
