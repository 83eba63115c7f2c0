/** What signs and announces the accounts of nodes: in the home of `cazi up`, or named by settings. */
import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { isLoopback } from "../../deploy/embedded/natsListen.ts";
import type { Config } from "../kernel/config.ts";
import { Rejection } from "../kernel/errors.ts";
import { credentialFacts } from "../kernel/nats/readCredentials.ts";
import { natsOf } from "./dependencies.ts";

export interface NodeKeys {
  /** Where NATS answers this machine. */
  readonly url: string;
  /** Where it answers others; null where it listens on this machine alone. */
  readonly publicUrl: string | null;
  readonly operatorSeed: string;
  readonly systemCredsFile: string;
  /** Public key of the services' account. */
  readonly servicesAccount: string;
}

/** @throws Rejection `NODE_KEYS_MISSING`, `NOT_RUNNING` */
export function nodeKeys(config: Config): NodeKeys {
  const { url, credsFile, embedded } = natsOf(config);
  const keys = join(config.home, "nats", "keys");
  const operatorSeed = embedded ? readKey(join(keys, "operator.nk")) : config.natsOperatorSeed;
  const systemCredsFile = embedded ? join(keys, "system.creds") : config.natsSystemCreds;
  if (operatorSeed === "" || systemCredsFile === "")
    throw missing("the operator's seed or system credentials");
  if (credsFile === "") throw missing("the services' credentials (NATS_CREDS)");
  const publicUrl = embedded ? publicUrlOf(url, join(config.home, "nats", "server.conf")) : url;
  return {
    url,
    publicUrl,
    operatorSeed,
    systemCredsFile,
    servicesAccount: credentialFacts(credsFile).account,
  };
}

/** The embedded server's configuration says where it listens; a wildcard is all names of this machine. */
function publicUrlOf(url: string, configFile: string): string | null {
  const { host } = JSON.parse(readKey(configFile)) as { host: string };
  if (isLoopback(host)) return null;
  const { protocol, port } = new URL(url);
  return host === "0.0.0.0" || host === "::" ? `${protocol}//${hostname()}:${port}` : url;
}

function readKey(path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch {
    throw missing(path);
  }
}

function missing(what: string): Rejection {
  return new Rejection("NODE_KEYS_MISSING", `${what} cannot be read, so no account of a node can be signed`, {
    hint: "Use the CAZI_HOME of `cazi up`; for another NATS server set CAZI_NATS_OPERATOR_SEED_FILE and CAZI_NATS_SYSTEM_CREDS.",
  });
}
