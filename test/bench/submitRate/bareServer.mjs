/**
 * The control of `submit-rate`, a process of its own: answers each POST when its body is stored by one JetStream
 * publish. Arguments: NATS address, credentials file. Prints its port.
 */
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, credsAuthenticator } from "nats";

const [url, credsFile] = process.argv.slice(2);
const nats = await connect({ servers: url, authenticator: credsAuthenticator(readFileSync(credsFile)) });
const js = nats.jetstream();
const server = createServer((request, response) => {
  /** @type {Buffer[]} */
  const pieces = [];
  request.on("data", (piece) => pieces.push(piece));
  request.on("end", async () => {
    const id = randomBytes(13).toString("hex");
    const body = Buffer.concat(pieces);
    await js.publish(`ledger.default.task.${id}`, body, { expect: { lastSubjectSequence: 0 } });
    const answer = `{"id":"${id}","spec":${body}}`;
    response.writeHead(202, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(answer),
    });
    response.end(answer);
  });
});
// As the API: its clients keep their connections.
server.keepAliveTimeout = 72_000;
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`));
process.stdin.once("end", () => process.exit(0)).resume();
