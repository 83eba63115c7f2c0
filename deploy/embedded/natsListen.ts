import { resolve } from "node:path";
import type { Config } from "../../services/kernel/config.ts";
import { Rejection } from "../../services/kernel/errors.ts";

/** Where the embedded NATS server listens, and the files of its encryption. */
export interface NatsListen {
  readonly host: string;
  readonly port: number;
  /** Null: without encryption. */
  readonly tls: { readonly certFile: string; readonly keyFile: string } | null;
}

/**
 * What the settings ask for; null for loopback, on a port of its own choice. Beyond loopback only with encryption,
 * unless the settings say that the network has its own.
 * @throws Rejection `NATS_LISTEN_UNSAFE`, `CONFIG_INVALID`
 */
export function natsListen(
  config: Pick<Config, "natsListen" | "natsListenPlain" | "natsTlsCert" | "natsTlsKey">,
): NatsListen | null {
  if (config.natsListen === "") return null;
  const at = config.natsListen.lastIndexOf(":");
  const host = config.natsListen.slice(0, at).replace(/^\[|\]$/g, "");
  const port = Number(config.natsListen.slice(at + 1));
  const [certFile, keyFile] = [config.natsTlsCert, config.natsTlsKey];
  if ((certFile === "") !== (keyFile === "")) {
    throw new Rejection("CONFIG_INVALID", "CAZI_NATS_TLS_CERT and CAZI_NATS_TLS_KEY belong together", {
      hint: "Set both, or neither.",
    });
  }
  // A relative path is of where the command was given, not of the server's own folder.
  const tls = certFile === "" ? null : { certFile: resolve(certFile), keyFile: resolve(keyFile) };
  if (tls === null && !isLoopback(host) && config.natsListenPlain !== "yes") {
    throw new Rejection("NATS_LISTEN_UNSAFE", `NATS would listen on ${host} without encryption`, {
      hint: "Set CAZI_NATS_TLS_CERT and CAZI_NATS_TLS_KEY; or, on a network that is encrypted itself, CAZI_NATS_LISTEN_PLAIN=yes.",
    });
  }
  return { host, port, tls };
}

/** Where this machine's own roles reach it. With encryption its certificate must name this address. */
export function ownUrl({ host, port, tls }: NatsListen): string {
  const own =
    host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "[::1]" : host.includes(":") ? `[${host}]` : host;
  return `${tls === null ? "nats" : "tls"}://${own}:${port}`;
}

/** True for an address that only this machine reaches. */
export function isLoopback(host: string): boolean {
  return host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);
}
