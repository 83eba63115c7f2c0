/** Where a local instance's own NATS server and Postgres are, for the few commands that look at them directly. */
import { existsSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresSocketFolder } from "../../deploy/embedded/startPostgres.ts";
import type { Config } from "../kernel/config.ts";
import { Rejection } from "../kernel/errors.ts";

export interface Database {
  readonly url: string;
  /** Connections to open: the embedded server is one session. */
  readonly size: number;
  readonly embedded: boolean;
}

/** @throws Rejection `NOT_RUNNING` when the embedded server of this home does not run */
export function databaseOf(config: Pick<Config, "home" | "databaseUrl">): Database {
  if (config.databaseUrl !== "") return { url: config.databaseUrl, size: 2, embedded: false };
  const folder = postgresSocketFolder(join(config.home, "postgres"), tmpdir());
  if (!existsSync(join(folder, ".s.PGSQL.5432"))) throw notRunning("Postgres", config.home);
  return { url: `postgresql://postgres@${encodeURIComponent(folder)}/postgres`, size: 1, embedded: true };
}

export interface NatsServer {
  readonly url: string;
  /** "" for none. */
  readonly credsFile: string;
  readonly embedded: boolean;
}

/** @throws Rejection `NOT_RUNNING` when this home never had an embedded server */
export function natsOf(config: Pick<Config, "home" | "natsUrl" | "natsCreds">): NatsServer {
  if (config.natsUrl !== "") return { url: config.natsUrl, credsFile: config.natsCreds, embedded: false };
  const folder = join(config.home, "nats");
  try {
    const url = readFileSync(join(folder, "url"), "utf8").trim();
    return { url, credsFile: join(folder, "keys", "services.creds"), embedded: true };
  } catch {
    throw notRunning("NATS server", config.home);
  }
}

function notRunning(what: string, home: string): Rejection {
  return new Rejection("NOT_RUNNING", `no embedded ${what} runs on ${home}`, {
    hint: "Start it with `npm start`.",
  });
}
