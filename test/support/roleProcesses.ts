/** Roles served alone, each a process of its own, on a NATS server and a native Postgres of the test's own. */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { freeLoopbackPort } from "../../deploy/embedded/freePort.ts";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { type ApiRequests, apiRequests } from "./apiRequests.ts";
import { cliProgram, ensureBuilt } from "./builtCli.ts";
import { type InstanceContainers, instanceContainers } from "./instanceContainers.ts";
import { killProcesses, processTree } from "./processTree.ts";
import { type Env, shortTimes, userEnv } from "./product.ts";
import { type ProgramResult, type RunningProgram, startProgram } from "./runProgram.ts";
import { tempHome } from "./tempHome.ts";
import { waitFor } from "./waitFor.ts";

export interface RoleProcess {
  readonly program: RunningProgram;
  /** SIGKILL. */
  kill(): Promise<void>;
}

export interface Fleet {
  readonly instance: string;
  /** Of the control plane that is served on the fleet's own port. */
  readonly api: ApiRequests;
  /** Of the first admin; there once a control plane was served. */
  token(): string;
  readonly containers: InstanceContainers;
  /**
   * Starts `cazi serve <role>`; resolves when it serves. What it logs is printed at the end with `TEST_LOG`.
   * @param entry the command line's entry; this version's unless given
   */
  serve(role: string, env?: Env, entry?: string): Promise<RoleProcess>;
  /** Runs `cazi <args>` beside the roles, with their settings, until it ends. */
  run(args: readonly string[]): Promise<ProgramResult>;
  /** Ends everything it started, and the containers. */
  remove(): Promise<void>;
}

const serveDeadlineMs = 120_000;

export async function makeFleet(
  servers: {
    readonly nats: { readonly url: string; readonly credsFile: string };
    readonly databaseUrl: string;
    readonly dockerHost: string;
  },
  env: Env = {},
): Promise<Fleet> {
  ensureBuilt();
  const instance = `e2e-${randomBytes(5).toString("hex")}`;
  const home = tempHome();
  const port = await freeLoopbackPort(null);
  const started: RoleProcess[] = [];
  const common: Env = {
    ...userEnv(),
    ...shortTimes,
    CAZI_HOME: home.path,
    CAZI_INSTANCE: instance,
    CAZI_PORT: String(port),
    NATS_URL: servers.nats.url,
    NATS_CREDS: servers.nats.credsFile,
    DATABASE_URL: servers.databaseUrl,
    DOCKER_HOST: servers.dockerHost,
    ...env,
  };
  const containers = instanceContainers(servers.dockerHost, instance);
  const token = () => readFileSync(join(home.path, "token"), "utf8").trim();
  return {
    instance,
    containers,
    token,
    api: apiRequests(() => ({ url: `http://127.0.0.1:${port}`, token: token() })),
    serve: async (role, more = {}, entry = cliProgram) => {
      const program = startProgram(process.execPath, [entry, "serve", role], {
        env: { ...common, ...more },
        cwd: projectRoot,
      });
      const one = {
        program,
        kill: async () => {
          await killProcesses(processTree(program.pid));
          await program.done;
        },
      };
      started.push(one);
      await untilServed(program, role);
      return one;
    },
    run: (args) =>
      startProgram(process.execPath, [cliProgram, ...args], { env: common, cwd: projectRoot }).done,
    remove: async () => {
      await Promise.all(started.map((one) => one.kill()));
      if (process.env.TEST_LOG) for (const { program } of started) console.info(program.text());
      await containers.removeAll();
      home.remove();
    },
  };
}

async function untilServed(program: RunningProgram, role: string): Promise<void> {
  let isOver = false;
  void program.done.then(() => {
    isOver = true;
  });
  const said = () => program.text().includes(`serving ${role}`);
  await waitFor(`${role} to be served`, () => isOver || said(), { deadlineMs: serveDeadlineMs });
  if (!said()) throw new Error(`${role} ended\n${program.text()}`);
}
