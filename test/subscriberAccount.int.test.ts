/** An outside subscriber's account: it reads its tenant's feed, and nothing else that it tries takes effect. */
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createAccount, createUser, encodeAccount, encodeUser, fmtCreds, fromSeed } from "@nats-io/jwt";
import { connect, createInbox, credsAuthenticator, type NatsConnection } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { announce } from "../deploy/accounts/announce.ts";
import { makeRevocation } from "../deploy/accounts/outsideAccount.ts";
import {
  makeSubscriberAccount,
  subscriberAccountName,
  subscriberClaims,
} from "../deploy/accounts/subscriberAccount.ts";
import { systemClock } from "../services/kernel/clock.ts";
import type { Nats } from "../services/kernel/nats/connectNats.ts";
import { credentialFacts } from "../services/kernel/nats/readCredentials.ts";
import {
  createSubscriberStore,
  type SubscriberStore,
} from "../services/kernel/subscribers/subscriberStore.ts";
import { importedApiPrefix } from "../streams/accounts.ts";
import { HOME_SUBSCRIBER, subscriberConsumer } from "../streams/consumers.ts";
import { ensureConsumer } from "../streams/ensure.ts";
import { subjects, subscriberDurable } from "../streams/subjects.ts";
import { ledgerOnNats } from "./support/ledgerOnNats.ts";
import { waitFor } from "./support/waitFor.ts";
import { withNats } from "./support/withNats.ts";

const server = withNats();
const EVENTS = "EVENTS_0";
const event = (tenant: string, id: string) =>
  subjects.event({ tenant, kind: "task", transition: "failed", id });
const inLedger = (id: string) => subjects.ledger({ tenant: "default", kind: "task", id });
let nats: Nats;
let subscriber: NatsConnection;
let store: SubscriberStore;
let system: NatsConnection;
/** A user of the subscriber's account without the rights that bound the ordinary one: the account alone must hold. */
let intruder: NatsConnection;

const connectWith = (creds: Uint8Array) =>
  connect({ servers: server.url, authenticator: credsAuthenticator(creds), reconnect: false });
const consumerOf = (connection: NatsConnection) =>
  connection.jetstream({ apiPrefix: importedApiPrefix }).consumers.get(EVENTS, "subscriber");
const lastSeq = async (stream: string) => (await nats.jsm.streams.info(stream)).state.last_seq;

beforeAll(async () => {
  ({ nats } = await ledgerOnNats(server));
  await ensureConsumer(nats.jsm, subscriberConsumer({ durable: HOME_SUBSCRIBER, tenant: "default" }));
  store = createSubscriberStore({ nats, kv: nats.js.views.kv("subscribers"), clock: systemClock });
  system = await connectWith(readFileSync(server.systemCredsFile));
  subscriber = await connectWith(readFileSync(server.subscriberCredsFile));
  const account = fromSeed(readFileSync(join(dirname(server.credsFile), "subscriber.nk")));
  const user = createUser();
  const creds = fmtCreds(await encodeUser("intruder", user, account), user);
  intruder = await connectWith(creds);
});
afterAll(async () => {
  await Promise.all([subscriber.close(), intruder.close(), system.close()]);
  await nats.close();
});

describe("an outside subscriber", () => {
  it("gets its tenant's events in order, acknowledges them, and goes on there after a restart", async () => {
    await nats.js.publish(inLedger("t1"), "private");
    for (const id of ["a", "b", "c"]) {
      await nats.js.publish(event("default", id), id);
      await nats.js.publish(event("other", id), "not for it");
    }
    const take = async (count: number) => {
      const got: string[] = [];
      for await (const message of await (await consumerOf(subscriber)).fetch({ max_messages: count })) {
        got.push(message.string());
        expect(await message.ackAck()).toBe(true);
      }
      return got;
    };
    expect(await take(2)).toEqual(["a", "b"]);
    await subscriber.close();
    subscriber = await connectWith(readFileSync(server.subscriberCredsFile));
    expect(await take(1)).toEqual(["c"]);
  });

  it("is told at once that it may not publish or subscribe elsewhere", async () => {
    const denied: string[] = [];
    void (async () => {
      for await (const status of subscriber.status()) denied.push(JSON.stringify(status));
    })();
    subscriber.publish(inLedger("x"), "forged");
    subscriber.publish(event("default", "x"), "forged");
    subscriber.subscribe("events.>", { callback: () => undefined });
    await waitFor("three refusals", () => denied.filter((one) => /permission/i.test(one)).length >= 3);
  });
});

describe("whoever holds a subscriber's account", () => {
  it("cannot write to the ledger or to the feed", async () => {
    const before = [await lastSeq("LEDGER_0"), await lastSeq(EVENTS)];
    for (const subject of [inLedger("x"), event("default", "x")]) {
      intruder.publish(subject, "forged");
      await expect(intruder.request(subject, "forged", { timeout: 500 })).rejects.toThrow();
    }
    expect([await lastSeq("LEDGER_0"), await lastSeq(EVENTS)]).toEqual(before);
  });

  it("cannot name a subject of the ledger as the reply to what it may ask", async () => {
    const before = [await lastSeq("LEDGER_0"), await lastSeq("LOGS")];
    const next = `${importedApiPrefix}.CONSUMER.MSG.NEXT.${EVENTS}.subscriber`;
    const info = `${importedApiPrefix}.CONSUMER.INFO.${EVENTS}.subscriber`;
    await nats.js.publish(event("default", "d"), "d");
    const reply = inLedger("t1");
    // In its own account the name is a name like any other: the answers come there.
    const own: string[] = [];
    intruder.subscribe(reply, { callback: (_error, message) => void own.push(message.string()) });
    intruder.publish(info, "", { reply });
    intruder.publish(next, '{"batch":1,"no_wait":true}', { reply });
    await waitFor("both answers", () => own.length === 2 && own.includes("d"));
    const inbox = createInbox();
    const arrived = intruder.subscribe(inbox, { max: 1, timeout: 5_000 });
    await nats.js.publish(event("default", "e"), "e");
    intruder.publish(next, '{"batch":1,"expires":2000000000}', { reply: inbox });
    let ack = "";
    for await (const message of arrived) ack = message.reply!;
    expect(ack).toMatch(/^\$JS\.ACK\.EVENTS_0\.subscriber\./);
    await nats.js.publish(event("default", "f"), "f");
    intruder.publish(ack, "+NXT", { reply });
    intruder.publish(ack, "+ACK", { reply });
    intruder.publish(ack, "+WPI", { reply });
    await intruder.flush();
    await waitFor("the acknowledgements to be taken", () => own.includes("f"));
    expect([await lastSeq("LEDGER_0"), await lastSeq("LOGS")]).toEqual(before);
  });

  it("cannot read the ledger, the logs, another tenant's feed, or change a stream or a consumer", async () => {
    const requests = [
      "STREAM.MSG.GET.LEDGER_0",
      "STREAM.INFO.LEDGER_0",
      "STREAM.INFO.EVENTS_0",
      "STREAM.MSG.GET.EVENTS_0",
      "STREAM.PURGE.EVENTS_0",
      "STREAM.DELETE.EVENTS_0",
      "STREAM.NAMES",
      "CONSUMER.CREATE.EVENTS_0",
      "CONSUMER.CREATE.LEDGER_0",
      "CONSUMER.DURABLE.CREATE.EVENTS_0.subscriber",
      "CONSUMER.DELETE.EVENTS_0.subscriber",
      "CONSUMER.INFO.EVENTS_0.reports@other",
      "CONSUMER.MSG.NEXT.EVENTS_0.reports@other",
      "CONSUMER.CREATE.EVENTS_0.subscriber.events.other.>",
      "CONSUMER.MSG.NEXT.REPORTS.transitions",
    ];
    const config = { deliver_subject: inLedger("x"), ack_policy: "none", deliver_policy: "all" };
    const ofOther = { account: "A".repeat(56), replaces: null, by: "user:admin" };
    await store.put({ tenant: "other", name: "reports" }, ofOther);
    // Fitting: servers from 2.12 on read a question strictly before they ask who may put it.
    const bodyOf = (subject: string) => {
      if (/INFO|NAMES|PURGE|DELETE/.test(subject)) return "";
      if (subject.includes("CONSUMER.CREATE") || subject.includes("CONSUMER.DURABLE"))
        return JSON.stringify({ stream_name: /CREATE\.(\w+)/.exec(subject)![1], config });
      return JSON.stringify(subject.includes("MSG.NEXT") ? { batch: 1 } : { seq: 1 });
    };
    const before = [await lastSeq("LEDGER_0"), await lastSeq(EVENTS)];
    const answers = await Promise.all(
      requests
        .flatMap((rest) => [`${importedApiPrefix}.${rest}`, `$JS.API.${rest}`])
        .map((subject) =>
          intruder.request(subject, bodyOf(subject), { timeout: 1_000, noMux: true }).then(
            (message) => message.string(),
            () => "no answer",
          ),
        ),
    );
    const served = answers.filter((one) => one !== "no answer" && !/"err_code":10039\b/.test(one));
    // 10039: JetStream is not enabled for this account.
    expect(served).toEqual([]);
    const { ordered, consumers } = await nats.jsm.streams
      .info(EVENTS)
      .then(({ state }) => ({ ordered: state.messages, consumers: state.consumer_count }));
    expect(consumers).toBe(2);
    expect(ordered).toBeGreaterThan(0);
    expect([await lastSeq("LEDGER_0"), await lastSeq(EVENTS)]).toEqual(before);
  });

  it("hears nothing of what the services say to each other", async () => {
    const heard: string[] = [];
    intruder.subscribe(">", { callback: (_error, message) => void heard.push(message.subject) });
    await intruder.flush();
    await nats.js.publish(inLedger("t2"), "private");
    nats.connection.publish(subjects.control({ node: "n1" }));
    intruder.publish("mine", "echo");
    await nats.connection.flush();
    await waitFor("its own echo", () => heard.includes("mine"));
    expect(heard.filter((subject) => subject !== "mine")).toEqual([]);
  });
});

describe("a subscriber that was added for a tenant", () => {
  const of = { tenant: "acme", name: "reports" };
  const consumer = subscriberDurable(of);
  const operatorSeed = () => readFileSync(join(dirname(server.credsFile), "operator.nk"), "utf8");
  const servicesAccount = () => credentialFacts(server.credsFile).account;
  const nowSeconds = () => Math.floor(Date.now() / 1000);
  const fetchAll = async (connection: NatsConnection, durable = consumer) => {
    const from = await connection.jetstream({ apiPrefix: importedApiPrefix }).consumers.get(EVENTS, durable);
    const got: string[] = [];
    for await (const message of await from.fetch({ max_messages: 100, expires: 1_000 })) {
      got.push(message.string());
      message.ack();
    }
    await connection.flush();
    return got;
  };
  /** Added as the command does it. @param replaces the account that it had */
  const add = async (replaces: string | null) => {
    const keys = { operatorSeed: operatorSeed(), servicesAccount: servicesAccount() };
    const made = await makeSubscriberAccount({ consumer, ...keys });
    await store.put(of, { account: made.account, replaces, by: "user:admin" });
    await announce(system, made.document);
    return made;
  };
  const publish = async (id: string) => {
    for (const tenant of ["default", "acme", "other"])
      await nats.js.publish(event(tenant, id), `${tenant} ${id}`);
  };

  it("reads its tenant's feed alone, and goes on there with new credentials, while the old are void", async () => {
    await publish("n1");
    const first = await add(null);
    const before = await connectWith(first.creds);
    expect(await fetchAll(before)).toEqual(["acme n1"]);
    const closed = before.closed();
    const name = subscriberAccountName(consumer);
    const revocation = {
      name,
      account: first.account,
      operatorSeed: operatorSeed(),
      nowSeconds: nowSeconds(),
    };
    await announce(system, await makeRevocation(revocation));
    await closed;
    const second = await add(first.account);
    await publish("n2");
    const after = await connectWith(second.creds);
    expect(await fetchAll(after)).toEqual(["acme n2"]);
    await after.close();
    await expect(connectWith(first.creds)).rejects.toThrow(/authorization/i);
    // Somebody who still thinks of the first account is told, and changes nothing.
    const late = store.put(of, { account: "A".repeat(56), replaces: first.account, by: "user:admin" });
    await expect(late).rejects.toMatchObject({ code: "SUBSCRIBER_EXISTS" });
    expect((await store.list("acme")).map((one) => [one.account, one.place])).toEqual([
      [second.account, { waiting: 0, unacknowledged: 0 }],
    ]);
    expect(await store.list("other")).not.toEqual(await store.list("acme"));
  });

  it("cannot read another tenant's, nor the home's, by whatever user its account has", async () => {
    const key = createAccount();
    const claims = subscriberClaims({ consumer, servicesAccount: servicesAccount() });
    const signer = fromSeed(new TextEncoder().encode(operatorSeed().trim()));
    await announce(system, await encodeAccount("subscriber-intruder", key, claims, { signer }));
    const user = createUser();
    const unbounded = await connectWith(fmtCreds(await encodeUser("intruder", user, key), user));
    await store.put(
      { tenant: "default", name: "reports" },
      { account: "A".repeat(56), replaces: null, by: "user:admin" },
    );
    await publish("n3");
    const heard: string[] = [];
    unbounded.subscribe("events.>", { callback: (_error, message) => void heard.push(message.subject) });
    for (const other of ["subscriber", "reports@default", "reports@other", "reports"]) {
      for (const ask of ["CONSUMER.INFO", "CONSUMER.MSG.NEXT"]) {
        const asked = unbounded.request(`${importedApiPrefix}.${ask}.${EVENTS}.${other}`, "", {
          timeout: 300,
        });
        await expect(asked, `${ask} ${other}`).rejects.toThrow();
      }
    }
    expect(await fetchAll(unbounded)).toEqual(["acme n3"]);
    expect(heard).toEqual([]);
    await unbounded.close();
  });

  it("reads nothing once its tenant was removed, and is gone with its place when it is removed", async () => {
    await store.endAll("acme");
    await store.ensureAll();
    expect((await store.get(of))!).toMatchObject({ place: null, ended_at: expect.any(Number) });
    expect((await store.get({ tenant: "other", name: "reports" }))!.place).not.toBeNull();
    expect((await store.remove(of))!.name).toBe("reports");
    expect(await store.remove(of)).toBeNull();
    expect(await store.list("acme")).toEqual([]);
  });
});
