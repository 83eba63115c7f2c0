/** A Postgres of a test file's own, of either kind: the embedded one, as the product starts it, or a native one. */
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { type EmbeddedPostgres, startPostgres } from "../../deploy/embedded/startPostgres.ts";
import { bundledPrograms } from "./bundledPrograms.ts";
import { startNativePostgres } from "./nativePostgres.ts";
import { quietLog, tempHome } from "./tempHome.ts";
import { copyFolder, templateFolder } from "./templateFolder.ts";

export { hasNativePostgres } from "./nativePostgres.ts";

export type PostgresKind = "embedded" | "native";

export interface TestPostgres {
  readonly kind: PostgresKind;
  /** A fresh, empty database; the login is a superuser. */
  readonly url: string;
  /** Another database of the same server. The embedded kind has one only, and refuses. */
  createDatabase(name: string): Promise<string>;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same data and URL. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

/** Call at the top of a test file or describe block; the members may be used inside hooks and tests. */
export function withPostgres(kind: PostgresKind): TestPostgres {
  let started: TestPostgres | null = null;
  const server = () => {
    if (started === null) throw new Error("withPostgres: the server starts before the first hook or test");
    return started;
  };
  beforeAll(async () => {
    started = await startTestPostgres(kind);
  });
  afterAll(() => started?.stop());
  return {
    kind,
    get url() {
      return server().url;
    },
    createDatabase: (name) => server().createDatabase(name),
    kill: () => server().kill(),
    restart: () => server().restart(),
    stop: () => server().stop(),
  };
}

/** The same without hooks; whoever calls it stops it. */
export function startTestPostgres(kind: PostgresKind): Promise<TestPostgres> {
  return kind === "native" ? startNativePostgres() : startEmbedded();
}

/** Saves a home that is about to start the embedded Postgres the making of its cluster, 5 s and more. */
export async function copyClusterInto(home: string): Promise<void> {
  copyFolder(await embeddedTemplate(), join(home, "postgres"));
}

async function startEmbedded(): Promise<TestPostgres> {
  const home = tempHome();
  await copyClusterInto(home.path);
  let server = await startServer(home.path);
  return {
    kind: "embedded",
    url: server.url,
    createDatabase: () => Promise.reject(new Error("the embedded Postgres has one database only")),
    kill: () => server.kill(),
    restart: async () => {
      await server.stop();
      server = await startServer(home.path);
    },
    stop: async () => {
      await server.stop();
      home.remove();
    },
  };
}

async function startServer(home: string): Promise<EmbeddedPostgres> {
  const folder = await bundledPrograms({ postgresServer: "deploy/embedded/postgresServer.ts" });
  return startPostgres({ home, log: quietLog, program: join(folder, "postgresServer.js") });
}

async function embeddedTemplate(): Promise<string> {
  const { dependencies } = createRequire(import.meta.url)("../../package.json") as {
    dependencies: Record<string, string>;
  };
  const version = dependencies["@electric-sql/pglite"];
  return await templateFolder(`pglite-${version}`, async (folder) => {
    const home = `${folder}.home`;
    rmSync(home, { recursive: true, force: true });
    mkdirSync(home, { recursive: true });
    const server = await startServer(home);
    await server.stop();
    cpSync(join(home, "postgres"), folder, { recursive: true });
    rmSync(home, { recursive: true, force: true });
  });
}
