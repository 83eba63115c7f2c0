/** Restate: a service in this process, called through the server's ingress, 20 calls at a time. */
import { createServer } from "node:net";
import * as restate from "@restatedev/restate-sdk";
import * as clients from "@restatedev/restate-sdk-clients";
import { measurePeer } from "./measurePeer.mjs";

// Its library calls this at each invocation, and Node has it from 22 on.
Promise.withResolvers ??= function withResolvers() {
  let resolve;
  let reject;
  const promise = new Promise((yes, no) => {
    resolve = yes;
    reject = no;
  });
  return { promise, resolve, reject };
};

await measurePeer(async (told, server) => {
  const { ingress, admin } = JSON.parse(server);
  const bench = restate.service({
    name: "bench",
    handlers: { nothing: async (_context, id) => told.started(id) },
  });
  const port = await freePort();
  await restate.serve({ services: [bench], port });
  const answer = await fetch(`${admin}/deployments`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ uri: `http://127.0.0.1:${port}` }),
  });
  if (!answer.ok) throw new Error(`the service was not registered: ${answer.status} ${await answer.text()}`);
  const client = clients.connect({ url: ingress }).serviceClient({ name: "bench" });
  return {
    inFlight: 20,
    enqueue: async (id) => {
      await client.nothing(id);
      told.done(id);
    },
    stop: async () => {},
  };
});

function freePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const { port } = server.address();
      server.close(() => resolve(port));
    });
  });
}
