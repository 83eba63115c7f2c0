import { createHash, createHmac, randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSecureContext, type TlsOptions } from "node:tls";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { Ground } from "../../deploy/compose/openGround.ts";
import { admitDownstream } from "../../deploy/compose/roles/admitDownstream.ts";
import { certificatesIn } from "../../test/support/certificates.ts";
import { endTask, print } from "../../test/support/endTask.ts";
import { groundOnNats } from "../../test/support/groundOnNats.ts";
import { submitCommand } from "../../test/support/ledgerOnNats.ts";
import { tempHome } from "../../test/support/tempHome.ts";
import { waitFor } from "../../test/support/waitFor.ts";
import { withNats } from "../../test/support/withNats.ts";
import { withS3 } from "../../test/support/withS3.ts";
import { answerQuotas } from "../control-plane/quotas/answerQuotas.ts";
import { createQuotas } from "../control-plane/quotas/quotas.ts";
import { waitingTasks } from "../control-plane/quotas/waitingTasks.ts";
import { requireRoom } from "../control-plane/submit/requireRoom.ts";
import type { KnownNode } from "../domain/scheduling/fleet.ts";
import type { WorkloadSpec } from "../domain/spec/workloadSpec.ts";
import type { TaskCommand } from "../domain/task/taskCommand.ts";
import type { CarriedTask } from "../domain/task/taskState.ts";
import { deadLettersOnNats } from "../kernel/deadLetters/deadLetters.ts";
import { newId } from "../kernel/ids.ts";
import type { TaskKey } from "../kernel/ledger/taskLedger.ts";
import { createLogSource } from "../kernel/logs/logSource.ts";
import { noMeter } from "../kernel/metrics/metrics.ts";
import { noSecrets, SecretSet } from "../kernel/redaction/secretMasker.ts";
import { guardedRequest, TargetNotAllowed } from "./http/guardedRequest.ts";
import { trustedAuthorities } from "./http/trustedAuthorities.ts";
import { failed } from "./outcome.ts";
import type { SinksPorts } from "./ports.ts";
import { recordOutcome } from "./recordOutcome.ts";
import { SecretsMissing, type SinkSecrets } from "./sinkSecrets.ts";
import { sinksOfTask } from "./sinksOfTask.ts";
import { sinkTriesOnNats } from "./sinkTries.ts";
import { startSinks } from "./startSinks.ts";
import { submitDownstream } from "./task/submitDownstream.ts";

const server = withNats();
const s3 = withS3("results");
const home = tempHome();
const base = join(home.path, "files");
const signing = [randomBytes(24), randomBytes(32)].map((key) => `whsec_${key.toString("base64")}`);
let ground: Ground;
let receiver: Receiver;
const stops: (() => Promise<void>)[] = [];

beforeAll(async () => {
  ground = await groundOnNats(server);
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop();
});
afterAll(async () => {
  await receiver.stop();
  await ground.stop();
  home.remove();
});

const secrets: SinkSecrets = {
  signing: async (_, name) => {
    if (name === "hooks") return signing;
    throw new SecretsMissing(`there is no connection ${name}`);
  },
  s3: async () => ({ accessKeyId: "S3RVER", secretAccessKey: "S3RVER", sessionToken: null }),
  masked: async (_, names) => (names.length === 0 ? noSecrets : new SecretSet([Buffer.from("hunter2!")])),
};

/** Carries on from the ledger, as a process that begins does. */
function carry(change: Partial<SinksPorts> = {}): () => Promise<void> {
  const { nats, clock, config } = ground;
  const stop = startSinks({
    ...ground,
    metrics: noMeter,
    lease: { held: () => true },
    dead: deadLettersOnNats(nats),
    sinkTries: sinkTriesOnNats({ ...ground, open: () => nats.js.views.kv("sink_tries", { bindOnly: true }) }),
    logs: createLogSource({ nats, clock }),
    secrets,
    admitDownstream: async () => () => undefined,
    guard: {
      policy: { allowPrivate: ["127.0.0.1", "here.test"], ports: config.sinkPorts },
      resolve: async (host) => (host === "here.test" ? ["127.0.0.1"] : ["10.0.0.7"]),
    },
    base,
    process: "test",
    now: clock.now,
    // Three tries are made however slow the machine is.
    policy: { tries: 3, firstMs: 100, lastMs: 500 },
    ...change,
  });
  stops.push(stop);
  return stop;
}

const ended = (sinks: readonly object[], more: Partial<Parameters<typeof endTask>[1]> = {}) =>
  endTask(ground, { stdout: "hello\n", ...more, spec: { output_sinks: sinks, ...more.spec } });

/** Its events after the end, once all of its sinks are settled. */
async function settled(key: { tenant: string; task: string }) {
  return waitFor("the sinks to be settled", async () => {
    const events = (await ground.ledger.history(key, 100)).map(({ event }) => event);
    const { settled_sinks, limits } = events.at(-1)!.state as CarriedTask;
    if (settled_sinks.length < limits.sinks) return null;
    return events.filter(({ body }) => body.type.startsWith("sink_")).map(({ body }) => body);
  });
}

describe("a webhook", () => {
  it("is posted once, signed over the very bytes, with the output in it", async () => {
    const key = await ended([{ type: "webhook", url: receiver.url("/once"), connection: "hooks" }]);
    carry();
    expect(await settled(key)).toEqual([{ type: "sink_delivered", sink: "0-webhook", receipt: "HTTP 200" }]);
    const [request, ...more] = receiver.got("/once");
    expect(more).toEqual([]);
    const { headers, body } = request!;
    expect(headers).toMatchObject({
      "webhook-id": `${key.task}_0-webhook`,
      "content-type": "application/json",
    });
    const stamp = headers["webhook-timestamp"] as string;
    expect(Math.abs(Date.now() / 1000 - Number(stamp))).toBeLessThan(60);
    const mac = (secret: string) =>
      createHmac("sha256", Buffer.from(secret.slice(6), "base64"))
        .update(`${key.task}_0-webhook.${stamp}.${body}`)
        .digest("base64");
    expect(headers["webhook-signature"]).toBe(signing.map((one) => `v1,${mac(one)}`).join(" "));
    expect(JSON.parse(body)).toMatchObject({
      type: "task.succeeded",
      data: {
        sink: "0-webhook",
        task: { id: key.task, tenant: "default", status: "succeeded", exit_code: 0 },
        output: { bytes: 6, text: "hello\n", path: `/v1/tasks/${key.task}/output/raw` },
      },
    });
  });

  it("is tried again with the same id and body after errors, resets and silence, and never touches the task", async () => {
    const answers = ["500", "reset", "200"];
    receiver.answer("/shaky", (_, response) => {
      const next = answers.shift()!;
      if (next === "reset") response.socket!.resetAndDestroy();
      else response.writeHead(Number(next)).end("try again");
    });
    const key = await ended([{ type: "webhook", url: receiver.url("/shaky") }], { exitCode: 3 });
    const before = (await ground.ledger.load(key)).state;
    carry();
    expect(await settled(key)).toEqual([{ type: "sink_delivered", sink: "0-webhook", receipt: "HTTP 200" }]);
    const requests = receiver.got("/shaky");
    expect(requests).toHaveLength(3);
    expect(new Set(requests.map((one) => one.headers["webhook-id"])).size).toBe(1);
    expect(new Set(requests.map((one) => one.body)).size).toBe(1);
    expect((await ground.ledger.load(key)).state).toEqual({ ...before, settled_sinks: ["0-webhook"] });
  });

  it("is the same when the process dies between the request and the record of it", async () => {
    const key = await ended([{ type: "webhook", url: receiver.url("/killed") }]);
    const stuck = { ...ground.ledger, execute: () => new Promise<never>(() => undefined) };
    // It never comes back: it is left where it stands, and its lease is gone.
    let alive = true;
    void startSinksOf({ ledger: stuck, lease: { held: () => alive } });
    await waitFor("the first request", () => receiver.got("/killed").length === 1);
    alive = false;
    carry();
    await settled(key);
    const [first, second, ...more] = receiver.got("/killed");
    expect(more).toEqual([]);
    expect(second!.headers["webhook-id"]).toBe(first!.headers["webhook-id"]);
    expect(second!.body).toBe(first!.body);
  });

  it("fails at last, with a dead letter that can be sent again", async () => {
    let status = 503;
    receiver.answer("/down", (_, response) => response.writeHead(status, { "retry-after": "0" }).end("busy"));
    const key = await ended([{ type: "webhook", name: "hook", url: receiver.url("/down") }]);
    carry();
    const failed = { type: "sink_failed", sink: "hook", tries: 3, message: "HTTP 503: busy" };
    expect(await settled(key)).toEqual([failed]);
    const dead = deadLettersOnNats(ground.nats);
    const isFor = (letter: { task: string | null }) => letter.task === key.task;
    const find = async () => (await dead.list({ after: 0, max: 10, isFor })).letters;
    const [letter] = await find();
    expect(letter).toMatchObject({ kind: "sink", sink: "hook", reason: "HTTP 503: busy", resending: false });

    const ada = { actor: "user:ada", accountable: null, route: "rest" };
    expect(await dead.resend(letter!, ada)).toBe(true);
    expect(await dead.resend(letter!, ada)).toBe(false);
    const again = await waitFor("the new letter", async () => (await find()).find((one) => !one.resending));
    expect(JSON.parse(Buffer.from(again.bytes).toString())).toMatchObject({ tries: 6 });
    expect(await settled(key)).toEqual([failed]);

    status = 204;
    await dead.resend(again, ada);
    await waitFor("the letter to go", async () => (await find()).length === 0);
    const events = await ground.ledger.history(key, 100);
    expect(events.at(-1)!.event).toMatchObject({
      by: ada,
      body: { type: "sink_delivered", sink: "hook", receipt: "HTTP 204" },
    });
    expect(new Set(receiver.got("/down").map((one) => one.headers["webhook-id"])).size).toBe(1);
  });

  it("counts its tries over the processes that made them, in the ledger and in the dead letter", async () => {
    let status = 503;
    receiver.answer("/outlived", (_, response) => response.writeHead(status).end());
    const key = await ended([{ type: "webhook", name: "hook", url: receiver.url("/outlived") }]);
    for (const tries of [2, 4]) {
      const stop = carry({ policy: { tries: 20, firstMs: 20, lastMs: 60_000 } });
      await waitFor(`${tries} tries`, () => receiver.got("/outlived").length >= tries);
      await stop();
    }
    status = 410;
    carry();
    const [failed] = await settled(key);
    const tries = receiver.got("/outlived").length;
    expect(failed).toMatchObject({ type: "sink_failed", tries });
    expect(tries).toBeGreaterThan(4);
    const letter = await deadLettersOnNats(ground.nats).findSink({ ...key, sink: "hook" });
    expect(JSON.parse(Buffer.from(letter!.bytes).toString())).toMatchObject({ tries });
  });

  it.each([
    ["410", 410, /HTTP 410/, 1],
    ["a redirect to a cloud's metadata", 302, /HTTP 302: redirects are not followed/, 3],
  ])("takes %s for what it is", async (_, status, message, times) => {
    const path = `/answers-${status}`;
    receiver.answer(path, (_request, response) =>
      response.writeHead(status, { location: "http://169.254.169.254/latest/meta-data" }).end(),
    );
    const key = await ended([{ type: "webhook", url: receiver.url(path) }]);
    carry();
    expect(await settled(key)).toMatchObject([
      { type: "sink_failed", tries: times, message: expect.stringMatching(message) },
    ]);
    expect(receiver.got(path)).toHaveLength(times);
  });

  it("never goes to a name that leads to a private address, nor anywhere that a later answer says", async () => {
    const key = await ended([
      { type: "webhook", name: "inside", url: "https://inside.test/" },
      { type: "webhook", name: "plain", url: "http://public.test/" },
      { type: "webhook", name: "meta", url: "https://169.254.169.254/" },
    ]);
    carry();
    const results = await settled(key);
    expect(Object.fromEntries(results.map((one) => [(one as { sink: string }).sink, one]))).toMatchObject({
      inside: {
        type: "sink_failed",
        tries: 1,
        message: expect.stringMatching(/10\.0\.0\.7, which is private/),
      },
      plain: { type: "sink_failed", message: expect.stringMatching(/is not https/) },
      meta: { type: "sink_failed", message: expect.stringMatching(/never reached/) },
    });
  });

  it("waits for output that is on its way, and sends nothing before it is whole", async () => {
    const key = await ended([{ type: "webhook", url: receiver.url("/late") }], { late: 5 });
    carry({ policy: { tries: 20, firstMs: 50, lastMs: 60_000 } });
    await print(ground.nats, key.task, Buffer.from("late\n"), 6);
    await settled(key);
    const [request, ...more] = receiver.got("/late");
    expect(more).toEqual([]);
    expect(JSON.parse(request!.body).data.output).toMatchObject({ bytes: 11, text: "hello\nlate\n" });
  });

  it("masks the secrets of the task, and tells a large output by its digest", async () => {
    const key = await ended([{ type: "webhook", url: receiver.url("/masked") }], {
      spec: { connections: ["db"] },
      stdout: `pass hunter2! ${"x".repeat(70_000)}`,
    });
    carry();
    await settled(key);
    const { output } = JSON.parse(receiver.got("/masked")[0]!.body).data;
    expect(output).toMatchObject({ bytes: 70_014, text: null, base64: null });
    const small = await ended([{ type: "webhook", url: receiver.url("/small") }], {
      spec: { connections: ["db"] },
      stdout: "pass hunter2!\n",
    });
    await settled(small);
    expect(JSON.parse(receiver.got("/small")[0]!.body).data.output.text).toBe("pass ********\n");
  });

  it("goes out for the ends that it is for alone", async () => {
    const hook = { type: "webhook", url: receiver.url("/only") };
    const key = await ended([
      { ...hook, on: ["failed"] },
      { ...hook, on: ["succeeded", "cancelled"] },
    ]);
    carry();
    expect(new Set(await settled(key))).toEqual(
      new Set([
        { type: "sink_delivered", sink: "0-webhook", receipt: "not due" },
        { type: "sink_delivered", sink: "1-webhook", receipt: "HTTP 200" },
      ]),
    );
    expect(receiver.got("/only")).toHaveLength(1);
  });

  it("is not held up by a target that hangs", async () => {
    receiver.answer("/hangs", () => undefined);
    for (let n = 0; n < 6; n++) await ended([{ type: "webhook", url: receiver.url("/hangs") }]);
    const other = receiver.url("/quick").replace("127.0.0.1", "here.test");
    const key = await ended([{ type: "webhook", url: other }]);
    const stop = carry();
    expect(await settled(key)).toMatchObject([{ receipt: "HTTP 200" }]);
    expect(receiver.got("/hangs").length).toBeLessThanOrEqual(4);
    receiver.endAll();
    receiver.answer("/hangs", (_, response) => response.end());
    stops.splice(0);
    await stop();
  });
});

describe("a webhook over https", () => {
  it("asks for its name, sends nothing to a certificate that nobody trusts, tries again, then leaves a dead letter", async () => {
    const made = certificatesIn(home.path);
    made.authority("strangers");
    made.certificate("stranger", { signedBy: "strangers", for: "DNS:stranger.test" });
    const [cert, key] = ["pem", "key"].map((end) => readFileSync(join(home.path, `stranger.${end}`)));
    const names: string[] = [];
    const got: unknown[] = [];
    const SNICallback: TlsOptions["SNICallback"] = (name, done) => {
      names.push(name);
      done(null, createSecureContext({ cert: cert!, key: key! }));
    };
    const secure = createHttpsServer({ SNICallback }, (request, response) => {
      got.push(request.url);
      response.end();
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => secure.close(() => resolve())));
    const { port } = secure.address() as AddressInfo;
    const task = await ended([{ type: "webhook", url: `https://stranger.test:${port}/` }]);
    carry({
      guard: {
        policy: { allowPrivate: ["stranger.test"], ports: [443] },
        resolve: async () => ["127.0.0.1"],
      },
    });
    const message = expect.stringMatching(/^UNABLE_TO_VERIFY_LEAF_SIGNATURE: /);
    expect(await settled(task)).toMatchObject([{ type: "sink_failed", tries: 3, message }]);
    expect(names).toEqual(["stranger.test", "stranger.test", "stranger.test"]);
    expect(got).toEqual([]);
    const isFor = (letter: { task: string | null }) => letter.task === task.task;
    const { letters } = await deadLettersOnNats(ground.nats).list({ after: 0, max: 10, isFor });
    expect(letters).toMatchObject([{ kind: "sink", sink: "0-webhook", reason: message }]);
  });

  it("reaches a server of an authority of its own, as S3 does, and refuses a certificate for another name by that name", async () => {
    const made = certificatesIn(home.path);
    made.authority("house");
    made.certificate("inner", { signedBy: "house", for: "DNS:inner.test" });
    const [cert, key] = ["pem", "key"].map((end) => readFileSync(join(home.path, `inner.${end}`)));
    const got: string[] = [];
    const secure = createHttpsServer({ cert, key }, (request, response) => {
      got.push(`${request.method} ${request.headers.host!.split(":")[0]}`);
      request.resume().on("end", () => response.end());
    });
    await new Promise<void>((resolve) => secure.listen(0, "127.0.0.1", resolve));
    stops.push(() => new Promise((resolve) => secure.close(() => resolve())));
    const { port } = secure.address() as AddressInfo;
    const at = (host: string) => `https://${host}:${port}/`;
    const task = await ended([
      { type: "webhook", name: "right", url: at("inner.test") },
      { type: "s3", name: "bucket", endpoint: at("inner.test"), bucket: "results", connection: "aws" },
      { type: "webhook", name: "wrong", url: at("outer.test") },
    ]);
    const guard = {
      policy: { allowPrivate: ["*.test"], ports: [443] },
      resolve: async () => ["127.0.0.1"],
      trust: trustedAuthorities(join(home.path, "house.pem")),
    };
    carry({ guard, policy: { tries: 2, firstMs: 100, lastMs: 500 } });
    const results = await settled(task);
    const of = (name: string) => results.find((one) => (one as { sink: string }).sink === name);
    expect([of("right"), of("bucket")]).toMatchObject([
      { type: "sink_delivered", receipt: "HTTP 200" },
      { type: "sink_delivered", receipt: expect.stringMatching(/^s3:/) },
    ]);
    const message = expect.stringMatching(/^ERR_TLS_CERT_ALTNAME_INVALID: .*outer\.test.*DNS:inner\.test/s);
    expect(of("wrong")).toMatchObject({ type: "sink_failed", tries: 2, message });
    expect(got.sort()).toEqual(["POST inner.test", "PUT inner.test"]);
    expect(await lettersOf(task)).toMatchObject([{ sink: "wrong", reason: message }]);
  });

  it("does not begin with a file of authorities that is missing or holds none", () => {
    for (const file of [join(home.path, "nowhere.pem"), import.meta.filename])
      expect(() => trustedAuthorities(file)).toThrow(
        expect.objectContaining({ code: "SINK_CA_INVALID", message: expect.stringContaining(file) }),
      );
    expect(trustedAuthorities("")).toBeUndefined();
  });
});

describe("a request", () => {
  const guard = {
    policy: { allowPrivate: ["127.0.0.1", "*.test"], ports: [443] },
    resolve: async (_host: string) => ["127.0.0.1"],
  };
  const post = (url: string, more: Partial<Parameters<typeof guardedRequest>[0]> = {}, by = guard) =>
    guardedRequest(
      {
        tenant: "t",
        url: new URL(url),
        method: "POST",
        headers: {},
        body: Buffer.from("{}"),
        wholeMs: 400,
        ...more,
      },
      by,
    );

  it("ends in its time, whatever dribbles in", async () => {
    receiver.answer("/dribble", (_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write("."), 20);
      response.on("close", () => clearInterval(timer));
    });
    await expect(post(receiver.url("/dribble"))).rejects.toThrow("took longer than 0.4 s");
    receiver.answer("/silent", () => undefined);
    await expect(post(receiver.url("/silent"))).rejects.toThrow("took longer than 0.4 s");
  });

  it("reads no more of an answer than it keeps", async () => {
    receiver.answer("/huge", (_, response) => {
      response.writeHead(500);
      const more = () => {
        while (!response.destroyed && response.write("x".repeat(16_384)));
      };
      response.on("drain", more);
      more();
    });
    const answer = await post(receiver.url("/huge"), { wholeMs: 5_000 });
    expect([answer.status, answer.text.length]).toEqual([500, 16_384]);
  });

  it("asks for the addresses of a name once, and goes nowhere when one of them is not allowed", async () => {
    const asked: string[] = [];
    const resolve = async (host: string) => {
      asked.push(host);
      return host === "two.test" ? ["127.0.0.1", "169.254.169.254"] : ["127.0.0.1"];
    };
    const url = receiver.url("/named").replace("127.0.0.1", "name.test");
    expect(await post(url, {}, { ...guard, resolve })).toMatchObject({ status: 200 });
    expect(asked).toEqual(["name.test"]);
    expect(receiver.got("/named")[0]!.headers.host).toMatch(/^name\.test:/);
    const two = url.replace("name.test", "two.test");
    await expect(post(two, {}, { ...guard, resolve })).rejects.toThrow(TargetNotAllowed);
    expect(receiver.got("/named")).toHaveLength(1);
  });

  it("uses no proxy of the environment", async () => {
    process.env.http_proxy = "http://127.0.0.1:1";
    try {
      expect(await post(receiver.url("/direct"))).toMatchObject({ status: 200 });
    } finally {
      delete process.env.http_proxy;
    }
  });
});

describe("a file sink", () => {
  it("writes each file once and whole, in a folder of the task's own", async () => {
    const stdout = randomBytes(300_000);
    const key = await ended(
      [
        { type: "file", file_name: "{status}-{sink}.bin" },
        { type: "file", content: "summary" },
      ],
      { stdout },
    );
    const folder = join(base, "default", key.task);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, ".succeeded-0-file.bin.dead"), "half of it");
    carry();
    const receipts = (await settled(key)).map((one) => (one as { receipt: string }).receipt);
    expect(new Set(receipts)).toEqual(
      new Set([`default/${key.task}/succeeded-0-file.bin`, `default/${key.task}/1-file.summary`]),
    );
    expect(readdirSync(folder).sort()).toEqual(["1-file.summary", "succeeded-0-file.bin"]);
    expect(readFileSync(join(folder, "succeeded-0-file.bin")).equals(stdout)).toBe(true);
  });

  it("follows no link out of its folder", async () => {
    const outside = join(home.path, "outside");
    mkdirSync(outside, { recursive: true });
    mkdirSync(base, { recursive: true });
    symlinkSync(outside, join(base, "linked"));
    const key = await ended([{ type: "file" }], { tenant: "linked" });
    carry();
    expect(await settled(key)).toMatchObject([
      { type: "sink_failed", message: expect.stringMatching(/ELOOP|ENOTDIR/) },
    ]);
    expect(existsSync(join(outside, key.task))).toBe(false);
  });
});

describe("an S3 sink", () => {
  it("puts the very bytes under a key that is the same in every try, streamed and signed", async () => {
    const stdout = randomBytes(2_000_000);
    const sink = { type: "s3", endpoint: s3.url, bucket: "results", connection: "aws" };
    const key = await ended(
      [
        { ...sink, key: "{status}/{task}.bin" },
        { ...sink, content: "summary" },
      ],
      {
        stdout,
      },
    );
    carry();
    const sha256 = createHash("sha256").update(stdout).digest("hex");
    expect(await settled(key)).toContainEqual({
      type: "sink_delivered",
      sink: "0-s3",
      receipt: `s3://results/succeeded/${key.task}.bin sha256:${sha256}`,
    });
    const get = async (path: string) =>
      Buffer.from(await (await fetch(`${s3.url}/results/${path}`)).arrayBuffer());
    expect((await get(`succeeded/${key.task}.bin`)).equals(stdout)).toBe(true);
    expect(JSON.parse((await get(`default/${key.task}/1-s3.summary`)).toString())).toMatchObject({
      type: "task.succeeded",
      data: { sink: "1-s3", output: { bytes: 2_000_000, sha256, text: null } },
    });
  });

  it("fails where the keys are wrong, and says what the server says", async () => {
    const sink = { type: "s3", endpoint: s3.url, bucket: "results", connection: "aws" };
    const key = await ended([sink]);
    const wrong = { ...secrets, s3: async () => ({ ...(await secrets.s3("", "")), secretAccessKey: "no" }) };
    carry({ secrets: wrong, policy: { tries: 1, firstMs: 100, lastMs: 1_000 } });
    expect(await settled(key)).toMatchObject([
      { type: "sink_failed", tries: 1, message: expect.stringMatching(/HTTP 403: .*SignatureDoesNotMatch/) },
    ]);
  });
});

describe("a task sink", () => {
  it("submits its task once, by an id that follows from the parent", async () => {
    const spec = { image: "cazi/toolbox:latest", command: ["wc"] };
    const key = await ended([{ type: "task", spec }]);
    carry();
    const [result] = await settled(key);
    const task = (result as { receipt: string }).receipt.replace("task:", "");
    expect((await ground.ledger.load({ tenant: "default", task })).state).toMatchObject({
      status: "pending",
      source: `sink:${key.task}:0-task`,
      who: { actor: `task:${key.task}`, accountable: "user:test", route: "sink" },
    });
  });

  const after = { image: "cazi/toolbox:latest", stdin_from_prev: false };
  const twice = { tries: 2, firstMs: 100, lastMs: 500 };
  /** The real checks, in an installation where a tenant may have one waiting task. */
  async function admission(change: Partial<Parameters<typeof admitDownstream>[0]> = {}) {
    const config = { ...ground.config, tenantPendingMax: 1 };
    const none = { get: async () => null, list: async () => [] };
    const made = await admitDownstream({ ...ground, config, ...change }, none);
    stops.push(async () => made.stop());
    return made.admit;
  }

  it("waits for a place within its tenant's limit of waiting tasks, and a repeat finds the place that is its own", async () => {
    const admit = await admission();
    const waiting = { tenant: "narrow", task: newId(Date.now()) };
    const act = async (command: object) =>
      ground.ledger.execute(waiting, { at: Date.now(), id: newId(Date.now()), ...command } as TaskCommand);
    await act(submitCommand());
    await waitFor("it to wait", () => ground.live.tasks.get(waiting.task) !== undefined);
    const refused: unknown[] = [];
    const key = await ended([{ type: "task", spec: after }], { tenant: "narrow" });
    const makeRoom: SinksPorts["admitDownstream"] = async (of) => {
      try {
        return await admit(of);
      } catch (error) {
        refused.push(error);
        await act({
          kind: "cancel",
          who: { actor: "user:test", accountable: null, route: "rest" },
          reason: null,
        });
        await waitFor("its place", () => ground.live.tasks.get(waiting.task) === undefined);
        throw error;
      }
    };
    carry({ admitDownstream: makeRoom, policy: twice });
    const [result] = await settled(key);
    expect(refused).toMatchObject([{ code: "QUOTA_EXCEEDED", fields: { limit: "pending_max", quota: 1 } }]);
    expect(result).toMatchObject({ type: "sink_delivered", receipt: expect.stringMatching(/^task:/) });
    const { receipt } = result as { receipt: string };
    await waitFor("it to wait in its turn", () => ground.live.tasks.get(receipt.slice(5)) !== undefined);
    const [of] = await sinksOfTask(ground.ledger, key);
    const ports = { ledger: ground.ledger, admitDownstream: admit, now: ground.clock.now };
    const { sink } = of!;
    if (sink.type !== "task") throw new Error(sink.type);
    expect(await submitDownstream(ports, of!, sink)).toEqual({ result: "delivered", receipt });
    await expect(admit({ ...key, spec: sink.spec as WorkloadSpec })).rejects.toThrow(/pending_max: 1/);
  });

  /** A server of the API with the limits of `config`; a minute of it passes when it is told so. */
  function apiQuotas(limits: { readonly submits_per_minute: number; readonly stored_bytes_max: number }) {
    const api = { ms: 0, stored: 1 };
    const quotas = createQuotas({
      limits: () => ({ pending_max: 0, follows_max: 0, ...limits }),
      waiting: waitingTasks(ground.live.tasks),
      servers: () => 1,
      storedBytes: async () => api.stored,
      monotonicMs: () => api.ms,
    });
    stops.push(answerQuotas({ ...ground, quotas }));
    return api;
  }

  it("is held by its tenant's submits a minute as long as that limit says, once, and its parent's end stays", async () => {
    const api = apiQuotas({ submits_per_minute: 1, stored_bytes_max: 0 });
    const config = { ...ground.config, tenantSubmitsPerMinute: 1 };
    const admit = await admission({ config });
    const keys = await Promise.all([1, 2].map(() => ended([{ type: "task", spec: after }])));
    const ends = await Promise.all(keys.map((key) => ground.ledger.load(key)));
    const told: unknown[] = [];
    // Looked at again where the time of all tries ends, a moment from now and not a minute.
    carry({
      policy: { tries: 1, firstMs: 100, lastMs: 2_500 },
      admitDownstream: async (of) =>
        admit(of).catch((error) => {
          told.push(error);
          api.ms += 60_000;
          throw error;
        }),
    });
    const results = (await Promise.all(keys.map(settled))).flat();
    expect(results).toMatchObject([{ type: "sink_delivered" }, { type: "sink_delivered" }]);
    expect(told).toMatchObject([
      { code: "QUOTA_EXCEEDED", fields: { limit: "submits_per_minute", quota: 1, retry_after_ms: 60_000 } },
    ]);
    const now = await Promise.all(keys.map((key) => ground.ledger.load(key)));
    for (const [index, { state }] of now.entries()) {
      const { status, finished_at } = ends[index]!.state as CarriedTask;
      expect(state).toMatchObject({ status, finished_at });
    }
  });

  it("is a dead letter with the limit's code where the limit holds to the end, and nothing is submitted", async () => {
    apiQuotas({ submits_per_minute: 0, stored_bytes_max: 1 });
    const admit = await admission({ config: { ...ground.config, tenantStoredBytesMax: 1 } });
    const key = await ended([{ type: "task", spec: after }]);
    carry({ admitDownstream: admit, policy: { tries: 1, firstMs: 100, lastMs: 700 } });
    const message = "QUOTA_EXCEEDED: The tenant is at its limit stored_bytes_max: 1 stored bytes";
    expect(await settled(key)).toEqual([{ type: "sink_failed", sink: "0-task", tries: 1, message }]);
    expect(await lettersOf(key)).toMatchObject([{ sink: "0-task", reason: message }]);
    const followers = [...ground.live.tasks.pending()].filter(({ state }) =>
      state.source?.includes(key.task),
    );
    expect(followers).toEqual([]);
  });

  it("waits for the API only where its tenant has a limit that the API counts", async () => {
    const of = { tenant: "default", task: newId(Date.now()), spec: after as unknown as WorkloadSpec };
    const limited = await admission({ config: { ...ground.config, tenantSubmitsPerMinute: 5 } });
    await expect(limited(of)).rejects.toMatchObject({ family: "retryable", code: "QUOTA_UNKNOWN" });
    const free = await admission({ config: ground.config });
    (await free(of))();
  });

  it("is tried again while the storage is full, then leaves a dead letter", async () => {
    const key = await ended([{ type: "task", spec: after }]);
    const full = async () => {
      requireRoom({ full: () => "the disk is 97 % full" });
      return () => undefined;
    };
    carry({ admitDownstream: full, policy: twice });
    const message = "STORAGE_FULL: Nothing was submitted: the disk is 97 % full";
    expect(await settled(key)).toEqual([{ type: "sink_failed", sink: "0-task", tries: 2, message }]);
    expect(await lettersOf(key)).toMatchObject([{ sink: "0-task", reason: message }]);
  });

  it("fails at once for a connection that is not there, or a mount that no node offers", async () => {
    const node = { tenants: null, mount_allowlist: ["/srv"] } as unknown as KnownNode;
    const nodes = { ...ground.nodes, registrations: () => [node].values() };
    const key = await ended([
      { type: "task", name: "secret", spec: { ...after, connections: ["db"] } },
      { type: "task", name: "disk", spec: { ...after, mounts: [{ source: "/data", target: "/in" }] } },
    ]);
    carry({ admitDownstream: await admission({ nodes }) });
    const results = await settled(key);
    expect(results.sort((a, b) => JSON.stringify(a).localeCompare(JSON.stringify(b)))).toEqual([
      {
        ...{ type: "sink_failed", sink: "disk", tries: 1 },
        message: "MOUNT_NOT_ALLOWED: The spec cannot run anywhere: no node offers /data for mounting",
      },
      {
        ...{ type: "sink_failed", sink: "secret", tries: 1 },
        message: "CONNECTION_UNKNOWN: There is no connection db",
      },
    ]);
  });
});

describe("a sink of a task that is erased during a try", () => {
  const erase = async (key: TaskKey) => {
    const at = Date.now();
    const done = await ground.ledger.execute(key, { kind: "erase", at, id: newId(at), giveUpSinks: true });
    expect(done).toMatchObject({ state: { status: "erased" } });
  };

  it("leaves no dead letter", async () => {
    let key: Awaited<ReturnType<typeof ended>>;
    receiver.answer("/erased", (_, response) => {
      erase(key).then(() => response.writeHead(410).end());
    });
    key = await ended([{ type: "webhook", url: receiver.url("/erased") }]);
    const stop = carry();
    await waitFor("the erasure", async () => (await ground.ledger.load(key)).state.status === "erased");
    stops.splice(0);
    await stop();
    expect(await lettersOf(key)).toEqual([]);
  });

  it("takes back the letter that it wrote between its look at the task and the refusal", async () => {
    const key = await ended([{ type: "webhook", url: receiver.url("/never") }]);
    const [of] = await sinksOfTask(ground.ledger, key);
    const before = await ground.ledger.load(key);
    await erase(key);
    const put: string[] = [];
    const dead = deadLettersOnNats(ground.nats);
    const watched = {
      ...dead,
      putSink: async (...letter: Parameters<typeof dead.putSink>) => {
        await dead.putSink(...letter);
        put.push(...(await lettersOf(key)).map((one) => one.reason));
      },
    };
    const ledger = { ...ground.ledger, load: async () => before };
    await recordOutcome({ ...ground, ledger, dead: watched }, of!, failed("HTTP 500", { final: true }), 3);
    expect(put).toEqual(["HTTP 500"]);
    expect(await lettersOf(key)).toEqual([]);
  });
});

async function lettersOf(key: TaskKey) {
  const isFor = (letter: { task: string | null }) => letter.task === key.task;
  return (await deadLettersOnNats(ground.nats).list({ after: 0, max: 10, isFor })).letters;
}

/** Another process, that nobody will stop in an orderly way. */
function startSinksOf(change: Partial<SinksPorts>): void {
  carry(change);
  stops.pop();
}

interface Receiver {
  url(path: string): string;
  got(path: string): readonly { readonly headers: IncomingMessage["headers"]; readonly body: string }[];
  answer(path: string, how: (request: IncomingMessage, response: ServerResponse) => void): void;
  endAll(): void;
  stop(): Promise<void>;
}

/** A server of HTTP that keeps what it got and answers 200 where nothing else is said. */
async function startReceiver(): Promise<Receiver> {
  const requests: { path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const answers = new Map<string, Parameters<Receiver["answer"]>[1]>();
  const http: Server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const path = request.url!;
      requests.push({ path, headers: request.headers, body: Buffer.concat(parts).toString() });
      const how = answers.get(path);
      if (how) how(request, response);
      else response.writeHead(200).end("ok");
    });
  });
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  const { port } = http.address() as AddressInfo;
  return {
    url: (path) => `http://127.0.0.1:${port}${path}`,
    got: (path) => requests.filter((one) => one.path === path),
    answer: (path, how) => answers.set(path, how),
    endAll: () => http.closeAllConnections(),
    stop: async () => {
      http.closeAllConnections();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}
