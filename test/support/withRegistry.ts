/** An image registry of a test file's own, on loopback, with its storage in a temporary folder. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { type GuardedChild, startGuardedChild } from "../../deploy/embedded/guardedChild.ts";
import { tempHome } from "./tempHome.ts";
import { waitFor } from "./waitFor.ts";

const PROGRAM = "/usr/bin/docker-registry";

/** False where it may not be installed: then the tests that need it are skipped. */
export const hasRegistry = existsSync(PROGRAM);

export interface TestRegistry {
  /** Such as `127.0.0.1:5000`; an engine takes it without TLS because it is loopback. */
  readonly address: string;
  /** Requests for manifests of `repository` that it has answered. */
  manifestRequests(repository: string): number;
  /** Ends it; its address then refuses connections. */
  stop(): Promise<void>;
}

/** For a registry that asks for a login; hashed by bcrypt, which is all that it takes. */
export const registryLogin = { username: "bot", password: "registry-password-1" };
const HTPASSWD = "bot:$2b$04$utKkJh/lGgEkrmYFFxGVpOyoLJhwtu0Re36tts1TL6jBU.YeHvyre\n";

/**
 * Call at the top of a test file or describe block; the members may be used inside hooks and tests.
 * @param options.login asks for {@link registryLogin}, by HTTP basic authentication
 */
export function withRegistry(options: { readonly login?: boolean } = {}): TestRegistry {
  let address = "";
  let child: GuardedChild | null = null;
  const home = tempHome();
  const logFile = join(home.path, "registry.log");
  beforeAll(async () => {
    address = `127.0.0.1:${await freeLoopbackPort(null)}`;
    const config = join(home.path, "config.yml");
    const storage = { filesystem: { rootdirectory: join(home.path, "images") } };
    const htpasswd = join(home.path, "htpasswd");
    writeFileSync(htpasswd, HTPASSWD);
    const auth = options.login ? { auth: { htpasswd: { realm: "test", path: htpasswd } } } : {};
    writeFileSync(config, JSON.stringify({ version: "0.1", storage, http: { addr: address }, ...auth }));
    const pidFile = join(home.path, "registry.pid");
    child = await startGuardedChild({
      command: PROGRAM,
      args: ["serve", config],
      cwd: home.path,
      logFile,
      pidFile,
    });
    const answers = async () => [200, 401].includes((await fetch(`http://${address}/v2/`)).status);
    await waitFor("the registry to answer", answers);
  });
  afterAll(async () => {
    await child?.stop(2_000);
    home.remove();
  });
  return {
    get address() {
      return address;
    },
    manifestRequests: (repository) =>
      readFileSync(logFile, "utf8")
        .split("\n")
        .filter((line) => line.includes(`"GET /v2/${repository}/manifests/`)).length,
    stop: async () => child?.stop(2_000),
  };
}
