#!/usr/bin/env node
/**
 * Prints a line for each event of the feed, read from JetStream: `id transition task status`. Its place is kept by the
 * server: it acknowledges an event when that is dealt with, and after a restart goes on with the first one that it has
 * not acknowledged. An event may come twice (it died in between), always with the same `ce-id`.
 *
 * NATS_URL and NATS_CREDS name the server and the subscriber's credentials, CAZI_URL the API that serves the schemas.
 * Unless given, they are those of the home CAZI_HOME (`.cazi`).
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import avro from "avsc";
import { connect, credsAuthenticator } from "nats";

const home = process.env.CAZI_HOME ?? ".cazi";
const kept = (name) => readFileSync(join(home, name), "utf8").trim();
const credsFile = process.env.NATS_CREDS ?? join(home, "nats", "subscriber.creds");
const apiUrl = process.env.CAZI_URL ?? kept("url");

const connection = await connect({
  servers: process.env.NATS_URL ?? `nats://127.0.0.1:${kept("nats/port")}`,
  authenticator: credsAuthenticator(readFileSync(credsFile)),
  name: "example subscriber",
  maxReconnectAttempts: -1,
});
// The stream belongs to another account, which lends its consumer under this prefix.
const jetstream = connection.jetstream({ apiPrefix: "JS.cazi.API" });

/** A schema never changes: it is fetched once. */
const types = new Map();
async function typeAt(path) {
  if (!types.has(path)) {
    const answer = await fetch(new URL(path, apiUrl));
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

for (;;) {
  try {
    const consumer = await jetstream.consumers.get("EVENTS_0", "subscriber");
    for await (const message of await consumer.consume({ max_messages: 100 })) {
      await deal(message);
      message.ack();
    }
  } catch (error) {
    console.error(`not reading now: ${error.message}`);
  }
  await new Promise((resolve) => setTimeout(resolve, 1000));
}
