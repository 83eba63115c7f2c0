import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readFileSync, statSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { bundledPrograms } from "../test/support/bundledPrograms.ts";
import { type TempHome, tempHome } from "../test/support/tempHome.ts";
import { waitFor } from "../test/support/waitFor.ts";
import { copyClusterInto } from "../test/support/withPostgres.ts";
import { isAlive, type ProcessIdentity } from "./bootstrap/processIdentity.mjs";

let program: string;
beforeAll(async () => {
  const folder = await bundledPrograms({
    upWithoutRoles: "test/support/upWithoutRoles.ts",
    postgresServer: "deploy/embedded/postgresServer.ts",
  });
  program = join(folder, "upWithoutRoles.js");
});

interface Running {
  readonly child: ChildProcess;
  readonly output: () => string;
  readonly exited: Promise<number | string>;
}

let home: TempHome;
const started: Running[] = [];
beforeEach(async () => {
  home = tempHome();
  await copyClusterInto(home.path);
});
afterEach(async () => {
  for (const { child, exited } of started.splice(0)) {
    child.kill("SIGKILL");
    await exited;
  }
  home.remove();
});

function start(env: Record<string, string> = {}): Running {
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH ?? "", TMPDIR: process.env.TMPDIR ?? "/tmp", CAZI_HOME: home.path, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (data) => {
      text += data;
    });
  }
  const exited = new Promise<number | string>((resolve) => {
    child.once("exit", (code, signal) => resolve(code ?? signal ?? "?"));
  });
  const running = { child, output: () => text, exited };
  started.push(running);
  return running;
}

const ready = (running: Running) =>
  waitFor("ready", () => running.output().includes("\nready http"), { deadlineMs: 50_000 }).catch((error) => {
    throw new Error(`${error.message}\n${running.output()}`);
  });
const noted = (file: string): ProcessIdentity => JSON.parse(readFileSync(join(home.path, file), "utf8"));
const servers = () => [noted("nats/server.pid"), noted("postgres/server.pid")];

describe("cazi up", () => {
  it("refuses a second start on the same home and says where the first is, and ends its children at SIGINT", async () => {
    const first = start();
    await ready(first);
    const url = readFileSync(join(home.path, "url"), "utf8").trim();
    expect(await (await fetch(url)).text()).toBe("ok");
    expect(statSync(join(home.path, "token")).mode & 0o777).toBe(0o600);

    const second = start();
    expect(await second.exited).toBe(1);
    expect(second.output()).toContain(`HOME_IN_USE: Cazi already runs on ${home.path}`);
    expect(second.output()).toContain(url);

    const children = servers();
    first.child.kill("SIGINT");
    expect(await first.exited).toBe(0);
    expect(children.some(isAlive)).toBe(false);
    expect(existsSync(join(home.path, "url"))).toBe(false);
  });

  it("takes its children along at kill -9, and starts again on what they left", async () => {
    const first = start();
    await ready(first);
    const children = servers();
    const token = readFileSync(join(home.path, "token"), "utf8");
    first.child.kill("SIGKILL");
    await first.exited;
    await waitFor("the children to end", () => !children.some(isAlive));

    const second = start();
    await ready(second);
    expect(readFileSync(join(home.path, "token"), "utf8")).toBe(token);
  });

  it("starts killed servers again on the same address", async () => {
    const running = start();
    await ready(running);
    const before = servers();
    const port = readFileSync(join(home.path, "nats/port"), "utf8");
    for (const server of before) process.kill(server.pid, "SIGKILL");
    await waitFor("other servers", () => servers().every((now, at) => now.pid !== before[at]?.pid));
    expect(running.output()).toContain("the NATS server ended by SIGKILL; it is started again");
    expect(running.output()).toContain("the embedded Postgres ended by SIGKILL; it is started again");
    expect(readFileSync(join(home.path, "nats/port"), "utf8")).toBe(port);
  });

  it("refuses a port that was asked for and is taken", async () => {
    const taken = createServer();
    await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
    const { port } = taken.address() as AddressInfo;
    const running = start({ CAZI_PORT: String(port) });
    expect(await running.exited).toBe(1);
    expect(running.output()).toContain(`PORT_TAKEN: CAZI_PORT asks for ${port}`);
    await new Promise((resolve) => taken.close(resolve));
  });
});
