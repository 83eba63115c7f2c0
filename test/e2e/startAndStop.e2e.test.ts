/** How the product begins and ends on a home: a second start, Ctrl-C, a taken port. */
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, it } from "vitest";
import { isAlive } from "../../deploy/bootstrap/processIdentity.mjs";
import { projectRoot } from "../../services/kernel/projectRoot.ts";
import { cliProgram } from "../support/builtCli.ts";
import { killProcesses, processTree } from "../support/processTree.ts";
import { withProduct } from "../support/product.ts";
import { startProgram } from "../support/runProgram.ts";
import { waitFor } from "../support/waitFor.ts";

const product = withProduct();

it("keeps the token to its owner and says where everything is", () => {
  expect(statSync(join(product.home, "token")).mode & 0o777).toBe(0o600);
  const text = product.up.text();
  expect(text).toContain(`ready ${product.url}`);
  expect(text).toContain(join(product.home, "token"));
  expect(text).toContain("deploy/examples/hello.yaml");
  const snippet = /MCP client\s+(\{.*\})/.exec(text)![1]!;
  expect(JSON.parse(snippet).mcpServers.cazi.env).toEqual({ CAZI_HOME: product.home });
});

it("tells a second start on the same home where the first is", async () => {
  const second = await product.cazi("up");
  expect(second.exit).toBe(5);
  expect(second.stderr.toString()).toContain("HOME_IN_USE");
  expect(second.stderr.toString()).toContain(product.url);
  expect((await product.api.request("GET", "/readyz")).status).toBe(200);
});

it("ends all its processes at Ctrl-C, leaves a running container alone and goes on with it at the next start", async () => {
  const { id } = await product.api.submit({
    image: "cazi/toolbox:latest",
    command: ["sh", "-c", "echo begun; sleep 4; echo done; exit 3"],
  });
  await product.api.hasStatus(id, "running");
  const tree = processTree(product.up.pid);
  expect(tree.length).toBeGreaterThan(2);
  expect(await product.stop()).toBe(0);
  expect(tree.some(isAlive)).toBe(false);
  expect(existsSync(join(product.home, "url"))).toBe(false);
  expect(await product.containers.ofTask(id)).not.toBeNull();

  const token = readFileSync(join(product.home, "token"), "utf8");
  await product.start();
  // Nothing is installed, built or made a second time.
  expect(product.up.text()).not.toMatch(/install|building|making/i);
  expect(readFileSync(join(product.home, "token"), "utf8")).toBe(token);
  expect(await product.api.ended(id)).toMatchObject({ status: "failed", exit_code: 3, attempt: 1 });
  expect((await product.api.raw(id)).bytes.toString()).toBe("begun\ndone\n");
});

it("refuses to start on a port that was asked for and is taken", async () => {
  const taken = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => taken.once("listening", resolve));
  const { port } = taken.address() as AddressInfo;
  await product.stop();
  const env = product.env as Record<string, string>;
  const own = env.CAZI_PORT!;
  env.CAZI_PORT = String(port);
  const refused = await product.cazi("up");
  env.CAZI_PORT = own;
  taken.close();
  expect(refused.exit).toBe(5);
  expect(refused.stderr.toString()).toContain(`PORT_TAKEN`);
  expect(refused.stderr.toString()).toContain(String(port));
  expect(refused.stderr.toString()).not.toMatch(/^\s+at /m);
});

it("runs scripts where there is no engine, keeps their audit logs, and starts none a second time after a kill -9", async () => {
  const env = product.env as Record<string, string>;
  const engine = env.DOCKER_HOST!;
  env.DOCKER_HOST = `unix://${join(product.home, "no-engine.sock")}`;
  await product.start();
  const program = join(product.home, "sum.js");
  writeFileSync(program, 'emit(callTool("echo", { sum: context.a + 1 }));');
  const run = await product.cazi("run", "--script", program, "--tool", "echo", "--context-json", '{"a":1}');
  expect([run.exit, run.stdout.toString()]).toEqual([0, '{"sum":2}\n']);

  const { id } = await product.api.submit({ script: "emit({ at: context.x }); for (;;) {}", max_retries: 1 });
  const other = await product.api.submit({ script: { source: "emit({ once: 1 }); for (;;) {}" } });
  const image = await product.api.submit({ image: "cazi/toolbox:latest", command: ["true"] });
  for (const one of [id, other.id])
    await waitFor("it to loop", async () => (await product.api.raw(one)).bytes.length > 0);
  await product.killAll();
  await product.start();
  expect(await product.api.ended(other.id)).toMatchObject({
    status: "failed",
    reason: "container_lost",
    attempt: 1,
  });
  await waitFor("the second attempt to run", async () => {
    const { status, attempt } = await product.api.task(id);
    return attempt === 2 && status === "running";
  });
  const [lost] = (await product.api.task(id)).attempts;
  expect(lost).toMatchObject({ attempt: 1, reason: "container_lost" });
  expect((await product.cazi("cancel", id)).exit).toBe(0);
  expect(await product.api.ended(id)).toMatchObject({ status: "cancelled", attempt: 2 });
  expect((await product.api.task(image.id)).pending_reason?.message).toContain("no-engine.sock");

  const log = join(product.home, "agent-audit.jsonl");
  const got = await product.cazi("artifacts", "get", id, "agent-audit.jsonl", "-o", log);
  expect(got.exit).toBe(0);
  const head = /head ([0-9a-f]{64})/.exec((await product.api.task(id)).message!)![1]!;
  const replayed = await product.cazi("agent", "replay", `--expect-head=${head}`, log);
  expect([replayed.exit, replayed.stderr.toString()]).toEqual([0, ""]);
  await product.stop();
  env.DOCKER_HOST = engine;
});

// A network of its own, where this test may take the default port: nothing of the machine's is touched.
it.skipIf(process.getuid?.() !== 0)("takes the next free port when the default one is taken", async () => {
  const holder = `require("net").createServer().listen(7070, "127.0.0.1")`;
  const script = `busybox ip link set lo up; "$1" -e '${holder}' & exec "$1" "$2" up`;
  const { CAZI_PORT: _, ...env } = product.env as Record<string, string>;
  const args = ["--net", "sh", "-c", script, "sh", process.execPath, cliProgram];
  const up = startProgram("unshare", args, { env, cwd: projectRoot });
  try {
    await waitFor("it to be ready", () => up.text().includes("\nready http"), { deadlineMs: 120_000 });
    expect(product.url).toMatch(/^http:\/\/127\.0\.0\.1:70(7[1-9]|8\d|9\d)$/);
    const inside = [`--net=/proc/${up.pid}/ns/net`, process.execPath, cliProgram, "list"];
    const list = await startProgram("nsenter", inside, { env, cwd: projectRoot }).done;
    expect([list.exit, list.stderr.toString()]).toEqual([0, ""]);
  } finally {
    await killProcesses(processTree(up.pid));
  }
});

it("says what to do when nothing runs", async () => {
  rmSync(join(product.home, "url"), { force: true });
  const done = await product.cazi("list");
  expect(done.exit).toBe(1);
  expect(done.stderr.toString()).toContain("npm start");
});
