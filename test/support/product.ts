/**
 * The whole product as a user has it: `cazi up` in a process tree of its own, and the command line beside it. Own
 * home, own port, own instance name, short times. Nothing of it is faked.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { type ApiRequests, apiRequests } from "./apiRequests.ts";
import { cliProgram, ensureBuilt } from "./builtCli.ts";
import { type InstanceContainers, instanceContainers } from "./instanceContainers.ts";
import { killProcesses, processTree } from "./processTree.ts";
import { type ProgramResult, type RunningProgram, startProgram } from "./runProgram.ts";
import { type TempHome, tempHome } from "./tempHome.ts";
import { waitFor } from "./waitFor.ts";
import { testEngine } from "./withEngine.ts";
import { copyClusterInto } from "./withPostgres.ts";

export type Env = Readonly<Record<string, string>>;

/** A start waits for two loaded cores; it takes 3 s on a quiet machine. */
const readyDeadlineMs = 120_000;

export const shortTimes: Env = {
  CAZI_BEAT_SECONDS: "1",
  CAZI_LEASE_SECONDS: "3",
  CAZI_STOP_GRACE_SECONDS: "1",
  CAZI_DUE_MARGIN_SECONDS: "2",
  CAZI_CLAIM_LIMIT_SECONDS: "10",
  CAZI_LOG_LEVEL: process.env.TEST_LOG ?? "error",
};

export interface Product {
  readonly home: string;
  readonly instance: string;
  readonly url: string;
  readonly token: string;
  /** The `cazi up` process. */
  readonly up: RunningProgram;
  readonly api: ApiRequests;
  readonly containers: InstanceContainers;
  /** The environment of its commands. */
  readonly env: Env;
  /** Runs a command to its end. */
  cazi(...args: readonly string[]): Promise<ProgramResult>;
  /** Starts a command, with bytes on its standard input where given. */
  startCazi(args: readonly string[], input?: string | Uint8Array): RunningProgram;
  /** Starts `cazi up` on the same home, resolves when it is ready. */
  start(): Promise<void>;
  /** SIGKILL to `cazi up` and all under it: NATS, Postgres. Containers and the engine go on, as they would. */
  killAll(): Promise<void>;
  /** Ctrl-C. @returns what it exited with */
  stop(): Promise<number | string>;
}

/** Call at the top of a file or describe block. It is ready in the first hook or test, and gone after the last. */
export function withProduct(env: Env = {}): Product {
  const product = makeProduct(env);
  beforeAll(() => product.start());
  afterAll(() => product.remove());
  return product;
}

/** The same without hooks: not started; whoever makes it removes it. */
export function makeProduct(env: Env = {}): Product & { remove(): Promise<void> } {
  const instance = `e2e-${randomBytes(5).toString("hex")}`;
  let made: { home: TempHome; dockerHost: string; env: Env } | null = null;
  let up: RunningProgram | null = null;
  const prepared = () => {
    if (made === null) throw new Error("the product is there from the first hook or test on");
    return made;
  };
  const file = (name: string) => readFileSync(join(prepared().home.path, name), "utf8").trim();
  async function prepare() {
    ensureBuilt();
    const [{ dockerHost }, port] = await Promise.all([testEngine(), freeLoopbackPort(null)]);
    const home = tempHome();
    await copyClusterInto(home.path);
    const own = { CAZI_HOME: home.path, CAZI_INSTANCE: instance, CAZI_PORT: String(port) };
    made = {
      home,
      dockerHost,
      env: { ...userEnv(), ...shortTimes, ...own, DOCKER_HOST: dockerHost, ...env },
    };
  }
  const startCazi = (args: readonly string[], input?: string | Uint8Array) =>
    startProgram(process.execPath, [cliProgram, ...args], {
      env: { ...prepared().env },
      cwd: projectRoot,
      ...(input === undefined ? {} : { input }),
    });
  async function killAll() {
    if (up === null) return;
    await killProcesses(processTree(up.pid));
    await up.done;
  }
  const product: Product = {
    instance,
    get home() {
      return prepared().home.path;
    },
    get url() {
      return file("url");
    },
    get token() {
      return file("token");
    },
    get env() {
      return prepared().env;
    },
    get up() {
      if (up === null) throw new Error("the product was not started");
      return up;
    },
    get containers() {
      return instanceContainers(prepared().dockerHost, instance);
    },
    api: apiRequests(() => ({ url: file("url"), token: file("token") })),
    cazi: (...args) => startCazi(args).done,
    startCazi,
    start: async () => {
      if (made === null) await prepare();
      up = startCazi(["up"]);
      await untilReady(up);
    },
    killAll,
    stop: async () => {
      if (up === null) throw new Error("the product was not started");
      up.child.kill("SIGINT");
      return (await up.done).exit;
    },
  };
  const remove = async () => {
    await killAll();
    if (made === null) return;
    await product.containers.removeAll();
    made.home.remove();
  };
  return Object.defineProperties({ remove } as Product & { remove(): Promise<void> }, {
    ...Object.getOwnPropertyDescriptors(product),
  });
}

async function untilReady(up: RunningProgram): Promise<void> {
  let ended: ProgramResult | null = null;
  void up.done.then((result) => {
    ended = result;
  });
  await waitFor("cazi up to be ready", () => ended !== null || /\n(ready|up at) http/.test(up.text()), {
    deadlineMs: readyDeadlineMs,
  }).catch((error) => {
    throw new Error(`${error.message}\n${up.text()}`);
  });
  if (ended !== null) throw new Error(`cazi up ended\n${up.text()}`);
}

/** What a user's shell has; no settings of another Cazi. */
export function userEnv(): Record<string, string> {
  const kept = ["PATH", "HOME", "TMPDIR", "LANG"];
  return Object.fromEntries(
    kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]!]])),
  );
}
