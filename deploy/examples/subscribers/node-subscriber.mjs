#!/usr/bin/env node
/**
 * Prints a line for each event of the feed, read from JetStream: `id transition task status`. Its place is kept by the
 * server: it acknowledges an event when that is dealt with, and after a restart goes on with the first one that it has
 * not acknowledged. An event may come twice (it died in between), always with the same `ce-id`. While Cazi is away it
 * says so once and waits.
 *
 * NATS_URL and NATS_CREDS name the server and the subscriber's credentials, CAZI_CONSUMER the consumer that `cazi subscriber
 * add` named, CAZI_URL the API that serves the schemas.
 * Unless given, they are those of the home CAZI_HOME (`.cazi`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import avro from "avsc";
import { connect, credsAuthenticator } from "nats";

const home = process.env.CAZI_HOME ?? ".cazi";
const kept = (name) => readFileSync(join(home, name), "utf8").trim();

/** The way in, as it is now: the home may not be there yet, and its addresses may be others after a restart. */
function connectNow() {
  return connect({
    servers: process.env.NATS_URL ?? `nats://127.0.0.1:${kept("nats/port")}`,
    authenticator: credsAuthenticator(
      readFileSync(process.env.NATS_CREDS ?? join(home, "nats", "subscriber.creds")),
    ),
    name: "example subscriber",
    // The loop below connects anew.
    reconnect: false,
  });
}

/** A schema never changes: it is fetched once. */
const types = new Map();
async function typeAt(path) {
  if (!types.has(path)) {
    const answer = await fetch(new URL(path, process.env.CAZI_URL ?? kept("url")));
    if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
    types.set(path, avro.Type.forSchema(await answer.json(), { wrapUnions: false }));
  }
  return types.get(path);
}

async function deal(message) {
  const attribute = (name) => decodeURIComponent(message.headers.get(`ce-${name}`));
  const type = await typeAt(attribute("dataschema"));
  // Single-object encoding: two bytes of mark, eight of fingerprint, the datum.
  const event = type.fromBuffer(Buffer.from(message.data.subarray(10)));
  const transition = attribute("type").split(".").at(-1);
  console.log(`${attribute("id")} ${transition} ${event.task} ${event.state?.status ?? "erased"}`);
}

/** Until the connection is gone. */
async function follow(connection) {
  // The stream belongs to another account, which lends its consumer under this prefix.
  const jetstream = connection.jetstream({ apiPrefix: "JS.cazi.API" });
  const consumer = await jetstream.consumers.get("EVENTS_0", process.env.CAZI_CONSUMER ?? "subscriber");
  told.clear();
  const messages = await consumer.consume({ max_messages: 100 });
  connection.closed().then(() => messages.stop());
  for await (const message of messages) {
    await deal(message);
    message.ack();
  }
}

/** What was said of Cazi being away, since it was last there. */
const told = new Set();

for (;;) {
  let connection;
  try {
    connection = await connectNow();
    await follow(connection);
  } catch (error) {
    // No home, no server and no stream yet are the stages of one start.
    const why = ["ENOENT", "CONNECTION_REFUSED", "404"].includes(error.code) ? "away" : error.message;
    if (!told.has(why)) console.error(`waiting for Cazi: ${error.message}`);
    told.add(why);
  }
  await connection?.close();
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
