/** A NATS server of a test file's own, as the product starts it: operator mode, JetStream on disk, loopback. */
import { afterAll, beforeAll } from "vitest";
import { type EmbeddedNats, startNats } from "../../deploy/embedded/startNats.ts";
import { quietLog, tempHome } from "./tempHome.ts";

export interface TestNats {
  readonly url: string;
  /** Credentials of the services' account. */
  readonly credsFile: string;
  readonly systemCredsFile: string;
  /** Of the outside subscriber. */
  readonly subscriberCredsFile: string;
  /** SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after a kill or else an orderly end; `whileDown` runs in between. */
  restart(whileDown?: () => void): Promise<void>;
  stop(): Promise<void>;
}

/** Call at the top of a test file or describe block; the members may be used inside hooks and tests. */
export function withNats(): TestNats {
  let started: TestNats | null = null;
  const server = () => {
    if (started === null)
      throw new Error("withNats: the server starts before the first hook or test, not earlier");
    return started;
  };
  beforeAll(async () => {
    started = await startTestNats();
  });
  afterAll(() => started?.stop());
  return {
    get url() {
      return server().url;
    },
    get credsFile() {
      return server().credsFile;
    },
    get systemCredsFile() {
      return server().systemCredsFile;
    },
    get subscriberCredsFile() {
      return server().subscriberCredsFile;
    },
    kill: () => server().kill(),
    restart: (whileDown) => server().restart(whileDown),
    stop: () => server().stop(),
  };
}

/**
 * The same without hooks; whoever calls it stops it.
 * @param under where its folder is made; among the system's temporary ones unless given
 */
export async function startTestNats(under?: string): Promise<TestNats> {
  const home = tempHome(under);
  let server: EmbeddedNats = await startNats({ home: home.path, log: quietLog });
  const { url, credsFile, systemCredsFile, subscriberCredsFile } = server;
  return {
    url,
    credsFile,
    systemCredsFile,
    subscriberCredsFile,
    kill: () => server.kill(),
    restart: async (whileDown = () => undefined) => {
      await server.stop();
      whileDown();
      server = await startNats({ home: home.path, log: quietLog, port: Number(new URL(url).port) });
    },
    stop: async () => {
      await server.stop();
      home.remove();
    },
  };
}
